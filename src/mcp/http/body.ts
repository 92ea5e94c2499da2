// The JSON body of a request.
import type { IncomingMessage } from 'node:http';
import { grouped } from '#base/text.ts';
import type { Refusal } from './route.ts';

/** Largest request body in bytes: parsing a larger one would hold the extension host's loop. */
export const bodyLimit = 4 * 1024 * 1024;

/** Most messages of one request. Revision 2025-06-18 has no batches any more; older clients send them. */
export const batchLimit = 64;

export type Body = { value: unknown; methods: readonly string[] } | { refusal: Refusal };

const refused = (status: number, code: number, message: string): Body => ({ refusal: { status, code, message } });

const tooLarge = refused(
  413,
  -32600,
  `The request is over ${grouped(bodyLimit)} bytes. ` +
    'Put large content in a file and store it with ctx_store_file: it is read by the server.',
);

const methodOf = (message: unknown): string[] => {
  const { method } = (message ?? {}) as { method?: unknown };
  return typeof method === 'string' ? [method] : [];
};

const parsed = (text: string): Body => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return refused(400, -32700, 'The body is not JSON.');
    throw error;
  }
  const messages = Array.isArray(value) ? (value as unknown[]) : [value];
  if (messages.length === 0 || messages.length > batchLimit)
    return refused(400, -32600, `A batch has 1 to ${batchLimit} messages.`);
  return { value, methods: messages.flatMap(methodOf) };
};

/** The JSON body of a request, or the error to answer with. What is over the limit is read to its end and dropped. */
export const readBody = async (request: IncomingMessage): Promise<Body> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > 16 * bodyLimit) break;
    if (size <= bodyLimit) chunks.push(chunk);
  }
  return size > bodyLimit ? tooLarge : parsed(Buffer.concat(chunks).toString('utf8'));
};
