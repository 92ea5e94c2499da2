import { get_encoding } from 'tiktoken';
import { textOf, type Message, type Request } from '../../vscode/agent/model.ts';

/** OpenAI's own tokenizer, not the one that the ledger counts with. */
const encoding = get_encoding('o200k_base');
const known = new Map<string, number>();

/** Tokens of a text; special tokens are ordinary text. */
export const tokensOf = (text: string): number => {
  const before = known.get(text);
  if (before !== undefined) return before;
  const count = encoding.encode(text, [], []).length;
  known.set(text, count);
  return count;
};

const callsOf = ({ tool_calls = [] }: Message): number =>
  tool_calls.reduce((sum, { function: { name, arguments: args } }) => sum + tokensOf(`${name} ${args}`), 0);

const messageTokens = (message: Message): number => tokensOf(textOf(message)) + callsOf(message);

/** `standing` is what a client sends whatever is asked: tools and system prompt, Loom's listing and instructions in them. */
export type RequestTokens = { standing: number; conversation: number };

/**
 * The tokens of one request as the model received it: the JSON of its tools, the text of each message, the name and the
 * arguments of each call in it.
 */
export const requestTokens = ({ tools = [], messages }: Request): RequestTokens => {
  const sum = (some: readonly Message[]): number => some.reduce((total, message) => total + messageTokens(message), 0);
  const listed = tools.length === 0 ? 0 : tokensOf(JSON.stringify(tools));
  const system = messages.filter(({ role }) => role === 'system');
  return {
    standing: listed + sum(system),
    conversation: sum(messages.filter((message) => !system.includes(message))),
  };
};

/** What the model wrote in a conversation: the calls and words that its last request repeats, and the last answer. */
export const writtenTokens = ({ messages }: Request, answer: string): number =>
  messages.filter(({ role }) => role === 'assistant').reduce((sum, message) => sum + messageTokens(message), 0) +
  tokensOf(answer);
