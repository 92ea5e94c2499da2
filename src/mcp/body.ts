import type { IncomingMessage } from 'node:http';
import { grouped } from '#base/text.ts';

/** Largest request body in bytes: parsing a larger one would hold the extension host's loop. */
export const bodyLimit = 4 * 1024 * 1024;

export type Body = { value: unknown } | { status: number; error: number; message: string };

const tooLarge: Body = {
  status: 413,
  error: -32600,
  message:
    `The request is over ${grouped(bodyLimit)} bytes. ` +
    'Put large content in a file and store it with ctx_store_file: it is read by the server.',
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
  if (size > bodyLimit) return tooLarge;
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return { status: 400, error: -32700, message: 'The body is not JSON.' };
    throw error;
  }
};
