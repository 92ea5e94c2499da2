// The body of a request: JSON, or messages of MCP.
import type { IncomingMessage } from 'node:http';
import { grouped } from '#base/text.ts';
import { readText, type Read, type Unread } from '#mcp/message.ts';
import type { Refusal } from './route.ts';

/** Largest request body in bytes: parsing a larger one would hold the extension host's loop. */
export const bodyLimit = 4 * 1024 * 1024;

type Refused = { refusal: Refusal };
/** `fault`: what of it cannot be read, to be told to whoever may call. */
export type Messages = { value: unknown; methods: readonly string[]; fault: Refusal | undefined };

const refused = (status: number, code: number, message: string): Refused => ({ refusal: { status, code, message } });

const tooLarge = refused(
  413,
  -32600,
  `The request is over ${grouped(bodyLimit)} bytes. ` +
    'Put large content in a file and store it with ctx_store_file: it is read by the server.',
);

/** One that was read but for its params is answered as a call is; nothing of a batch is done where a part cannot be read. */
const faultOf = ({ id, code, message }: Unread, at: number, count: number): Refusal => ({
  status: count === 1 && code === -32602 ? 200 : 400,
  code,
  message: count === 1 ? message : `Message ${at + 1} of ${count}, and so none of them was handled: ${message}`,
  id: count === 1 ? id : null,
});

const methodOf = (read: Read): string[] => {
  const { method } = 'unread' in read ? read.unread : (read.message as { method?: string });
  return method === undefined ? [] : [method];
};

const messagesIn = (text: string): Messages => {
  const all = readText(text);
  const faults = all.flatMap((read, at) => ('unread' in read ? [faultOf(read.unread, at, all.length)] : []));
  const messages = all.flatMap((read) => ('message' in read ? [read.message] : []));
  return { value: messages.length === 1 ? messages[0] : messages, methods: all.flatMap(methodOf), fault: faults[0] };
};

/** What is over the limit is read to its end and dropped. */
const bodyOf = async (request: IncomingMessage): Promise<{ text: string } | Refused> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > 16 * bodyLimit) break;
    if (size <= bodyLimit) chunks.push(chunk);
  }
  return size > bodyLimit ? tooLarge : { text: Buffer.concat(chunks).toString('utf8') };
};

/** The messages of a request's body, or the error to answer with. */
export const readMessages = async (request: IncomingMessage): Promise<Messages | Refused> => {
  const body = await bodyOf(request);
  return 'refusal' in body ? body : messagesIn(body.text);
};

/** The JSON body of a request, or the error to answer with. */
export const readJson = async (request: IncomingMessage): Promise<{ value: unknown } | Refused> => {
  const body = await bodyOf(request);
  if ('refusal' in body) return body;
  try {
    return { value: JSON.parse(body.text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return refused(400, -32700, 'What was sent is not JSON.');
    throw error;
  }
};
