// JSON-RPC messages as clients send them: what can be read of one, and the error for what cannot.
import {
  ClientRequestSchema,
  ErrorCode,
  JSONRPCMessageSchema,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { asJson, isFields, type Fields } from './call/json.ts';
import { isEmpty } from './call/meant.ts';

/** Most messages at once. Revision 2025-06-18 has no batches any more; older clients send them. */
export const batchLimit = 64;

/** The answer to what cannot be read; `id` is null where it could not be read either. `method` where all but params could. */
export type Unread = { id: string | number | null; code: number; message: string; method?: string };
export type Read = { message: JSONRPCMessage } | { unread: Unread };

type Method = (typeof ClientRequestSchema.options)[number];
const methods = new Map<string, Method>(
  ClientRequestSchema.options.map((schema) => [schema.shape.method.value, schema] as const),
);

/** Why `id` is none; undefined where it is one, or there is none. */
const wrongId = (id: unknown): string | undefined => {
  if (id === undefined || typeof id === 'string' || Number.isSafeInteger(id)) return undefined;
  if (typeof id === 'number' && Number.isInteger(id))
    return 'id: an integer beyond 2^53 is not read exactly; send a text';
  return 'id: must be a text or an integer';
};

/** A call's arguments as an object: null, `[]` and blanks are none, a text is its JSON. What is none stays, for the tool to name. */
const withArguments = ({ arguments: given, ...params }: Fields): Fields => {
  if (given === undefined || isEmpty(given)) return params;
  const value = typeof given === 'string' ? asJson(given) : given;
  return { ...params, arguments: isFields(value) ? value : { arguments: given } };
};

const paramsOf = (method: string, given: unknown): Fields | undefined => {
  if (!isFields(given)) return undefined;
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  return method === 'tools/call' ? withArguments(named) : named;
};

/** What is wrong with the params of a method that is served, in words; undefined where nothing is. */
const wrongParams = (message: Fields): string | undefined => {
  const found = methods.get(String(message['method']))?.safeParse(message, { reportInput: true });
  const issue = found?.error?.issues[0];
  if (issue === undefined) return undefined;
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  return `${issue.path.join('.')}: ${missing ? 'is required' : issue.message.replace(/^Invalid (input|option): /, '')}`;
};

const unread = (id: unknown, code: number, message: string, method?: string): Read => {
  const known =
    typeof id === 'string' || (typeof id === 'number' && !(Number.isInteger(id) && !Number.isSafeInteger(id)));
  return { unread: { id: known ? id : null, code, message, ...(method !== undefined && { method }) } };
};

/** An answer of the client's: it is never answered itself, whatever is wrong with it. */
const isAnswer = (value: Fields): boolean => !('method' in value) && ('result' in value || 'error' in value);

/**
 * One message as the protocol takes it; undefined where it can neither be read nor be answered. `params` and `arguments` that
 * are null or empty are left out, arguments as a JSON text are read. Whatever else is amiss is told in words.
 */
export const readMessage = (value: unknown): Read | undefined => {
  if (!isFields(value)) return unread(null, ErrorCode.InvalidRequest, 'A message is a JSON object.');
  const { jsonrpc, id, method, params, ...rest } = value;
  if (isAnswer(value)) {
    const answer = JSONRPCMessageSchema.safeParse(value);
    return answer.success ? { message: answer.data } : undefined;
  }
  const invalid = (what: string): Read => unread(id, ErrorCode.InvalidRequest, `${what}. Nothing was done.`);
  if (jsonrpc !== '2.0') return invalid('jsonrpc: must be "2.0"');
  if (typeof method !== 'string') return invalid('method: must be a text');
  const idFault = wrongId(id);
  if (idFault !== undefined) return invalid(idFault);
  const given = params === undefined || isEmpty(params) ? undefined : (paramsOf(method, params) ?? params);
  const message = {
    ...rest,
    jsonrpc,
    ...(id !== undefined && { id }),
    method,
    ...(given !== undefined && { params: given }),
  };
  const fault = isFields(given) || given === undefined ? wrongParams(message) : 'params: must be an object';
  if (fault === undefined) return { message: message as JSONRPCMessage };
  return id === undefined
    ? undefined
    : unread(id, ErrorCode.InvalidParams, `${method}: ${fault}. Nothing was done.`, method);
};

/** The messages of one text: one, or those of a batch. */
export const readText = (text: string): Read[] => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return [unread(null, ErrorCode.ParseError, 'What was sent is not JSON.')];
    throw error;
  }
  if (!Array.isArray(value)) return [readMessage(value)].filter((read) => read !== undefined);
  if (value.length === 0 || value.length > batchLimit)
    return [unread(null, ErrorCode.InvalidRequest, `A batch has 1 to ${batchLimit} messages.`)];
  return value.map(readMessage).filter((read) => read !== undefined);
};
