// A language model that says what a test has written down, behind the API that VS Code's "custom endpoint" speaks:
// OpenAI's chat completions, streamed. It keeps every request: what a real model would have received, to the byte.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Scope } from '#scripts/scope.ts';

export type ToolCall = { tool: string; input: object };

/** The calls of one request; they may depend on the results of the rounds before. */
export type Round = readonly ToolCall[] | ((results: readonly string[]) => readonly ToolCall[]);
/** All rounds of a turn, each by what came of the calls so far; the turn ends with the first that makes no call. */
export type Policy = (results: readonly string[]) => readonly ToolCall[];
/** What the model does once it is asked `prompt`: calls, round by round, then `answer`. */
export type Turn = { prompt: string; rounds: readonly Round[] | Policy; answer: string };

type Content = string | readonly { text?: string }[] | null | undefined;
export type Message = {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content?: Content;
  tool_calls?: readonly { function: { name: string; arguments: string } }[];
};
export type Request = {
  messages: readonly Message[];
  tools?: readonly { function: { name: string; description: string; parameters: unknown } }[];
};

export type ScriptedModel = {
  name: string;
  /** User/chatLanguageModels.json with this model in it. */
  models: unknown;
  /** Every request so far, also those for titles and summaries, which offer no tools. */
  requests: readonly Request[];
  add: (turn: Turn) => void;
};

export const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');

/** What the model received for its calls, in order. */
export const resultsIn = (messages: readonly Message[]): string[] =>
  messages.filter(({ role }) => role === 'tool').map(textOf);

type Reply = { content: string; calls: readonly ToolCall[] };

/**
 * Copilot asks for a summary, in these words, when a conversation has to be compacted: ahead of time and beside the
 * conversation, then with tools; or when it has grown too large, without. Only that one is made here: the other tells no hook.
 */
const asksForSummary = ({ messages }: Request): boolean =>
  textOf(messages.at(-1) ?? { role: 'user' }).includes('<summary>');

/** It names the prompt that is being answered, or the script would be lost with it. */
const summaryOf = ({ messages }: Request, turns: readonly Turn[]): string => {
  const text = messages.map(textOf).join('\n');
  const latest = turns.findLast(({ prompt }) => text.includes(prompt));
  return `<summary>The calls so far were made. ${latest?.prompt ?? ''}</summary>`;
};

/**
 * The next thing to say. It follows from the request alone: Copilot repeats the conversation each time, so the rounds
 * done are the messages with calls since the prompt.
 */
const replyTo = (request: Request, turns: readonly Turn[]): Reply => {
  const { messages, tools } = request;
  // Besides the agent's loop Copilot asks for titles and the like, without tools.
  if (tools === undefined || tools.length === 0) return { content: summaryOf(request, turns), calls: [] };
  if (asksForSummary(request)) return { content: 'Not now.', calls: [] };
  for (const [n, message] of [...messages.entries()].toReversed()) {
    const turn = message.role === 'user' && turns.find(({ prompt }) => textOf(message).includes(prompt));
    if (!turn) continue;
    const since = messages.slice(n);
    const done = since.filter(({ tool_calls }) => (tool_calls ?? []).length > 0).length;
    const round = typeof turn.rounds === 'function' ? turn.rounds : turn.rounds[done];
    const calls = typeof round === 'function' ? round(resultsIn(since)) : (round ?? []);
    return calls.length === 0 ? { content: turn.answer, calls } : { content: `Round ${done + 1}. `, calls };
  }
  return { content: 'No turn was written down for this prompt.', calls: [] };
};

const send = (response: ServerResponse, n: number, { content, calls }: Reply): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (delta: object, finish: string | null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const data = { id: `chat-${n}`, object: 'chat.completion.chunk', created: 1, model: 'scripted', choices };
    response.write(`data: ${JSON.stringify(data)}\n\n`);
  };
  chunk({ role: 'assistant', content }, null);
  for (const [index, { tool, input }] of calls.entries()) {
    const call = { name: tool, arguments: JSON.stringify(input) };
    chunk({ tool_calls: [{ index, id: `call_${n}_${index}`, type: 'function', function: call }] }, null);
  }
  chunk({}, calls.length > 0 ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
};

/** Starts the model on a free port of this machine, until the scope ends. */
export const startModel = async (scope: Scope): Promise<ScriptedModel> => {
  const requests: Request[] = [];
  const turns: Turn[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await text(request)) as Request;
    send(response, requests.push(body), replyTo(body, turns));
  };
  const server = createServer((request, response) => {
    if (request.url !== '/v1/chat/completions') response.writeHead(404).end();
    else answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  scope.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const name = 'Scripted Model';
  const limits = { toolCalling: true, vision: false, maxInputTokens: 128_000, maxOutputTokens: 16_000 };
  const model = { id: 'scripted', name, url: `http://127.0.0.1:${port}/v1/chat/completions`, ...limits };
  return {
    name,
    models: [{ name: 'Scripted', vendor: 'customendpoint', models: [model] }],
    requests,
    add: (turn) => turns.push(turn),
  };
};
