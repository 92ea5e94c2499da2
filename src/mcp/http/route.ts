// A path of the HTTP host, and who may come in by it.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** How a request is turned away. */
export type Refusal = {
  status: number;
  code: number;
  message: string;
  headers?: Record<string, string>;
  data?: unknown;
  /** Of the message that it answers, where that could be read. */
  id?: string | number | null;
};

/** Who a request comes from, by the token that it carries. */
export type Principal = {
  /** It may only read and keep, whatever it asks for. */
  readOnly: boolean;
  /** It carries no token and may learn what there is, and no more: this is what it is answered to anything else. */
  unproven?: Refusal;
};

/** What a principal may do; a connection has those of whoever began it. */
export type Rights = 'all' | 'reading' | 'discovery';
export const rightsOf = ({ readOnly, unproven }: Principal): Rights =>
  unproven === undefined ? (readOnly ? 'reading' : 'all') : 'discovery';

/** Who may ask what. */
export type Admission = {
  /** Asked before a byte of the body is read. */
  request: (request: IncomingMessage) => Principal | Refusal;
  /** Asked with the JSON-RPC methods of the body; undefined admits. */
  methods?: (who: Principal, methods: readonly string[]) => Refusal | undefined;
};

/** What answers the requests of one path. It may stream: request and response are Node's own. */
export type Route = {
  /** `/archive`. */
  path: string;
  /** It tells what there is to those without a token too, and looks by itself at what else they ask (`unproven`). */
  discovery?: true;
  /** Where it lets in others than the host does. Made once the port is known. */
  admission?: (port: () => number) => Admission;
  handle: (request: IncomingMessage, response: ServerResponse, who: Principal) => Promise<void>;
};

/** Turns a request away, in the words of JSON-RPC. */
export const refuse = (
  response: ServerResponse,
  { status, code, message, headers = {}, data, id = null }: Refusal,
): void => {
  const error = data === undefined ? { code, message } : { code, message, data };
  // What is left of a body that nobody reads would be taken for the next request.
  const close = response.req.complete ? {} : { connection: 'close' };
  response.writeHead(status, { 'content-type': 'application/json', ...close, ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
};

export const notFound: Refusal = { status: 404, code: -32000, message: 'Not found.' };
