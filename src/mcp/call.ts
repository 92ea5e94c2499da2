import { randomUUID } from 'node:crypto';
import { asLoomError, errorKinds, LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { CallControl } from '#base/rpc.ts';
import { partLimit } from '#base/text.ts';
import type { KernelChoice } from '#kernel/service.ts';
import { parseArguments } from './arguments.ts';
import type { Caller } from './caller.ts';
import type { Answer, ToolContext, ToolsetName } from './defineTool.ts';
import type { EngineClient } from './engine.ts';
import type { KernelClient } from './kernelHost.ts';
import { answerTexts } from './prompt.ts';
import { toolNamedOrThrow } from './registry.ts';
import { untrusted } from './trust.ts';

/** The longest that a call may take, in milliseconds; what it did until then is named in the error. */
const deadlineMs = 300_000;

export type CallHost = {
  engine: EngineClient;
  log: Log;
  readableFolders: () => readonly string[];
  kernel: KernelClient;
  kernelChoice: () => Promise<KernelChoice>;
  trusted: () => boolean;
  /** Off where it is left out. */
  storeCmd?: ToolContext['storeCmd'];
};

const commandsOff = () => ({ enabled: false, workspace: undefined });

export type CallRequest = {
  name: string;
  arguments: unknown;
  toolset: ToolsetName;
  caller: () => Promise<Caller>;
  control: CallControl;
};

type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
export type CallResult = { content: Content[]; isError?: true };

const withDeadline = async <R>(control: CallControl, work: (control: CallControl) => Promise<R>): Promise<R> => {
  const late = AbortSignal.timeout(deadlineMs);
  const signal = AbortSignal.any([control.signal, late]);
  const ended = Promise.withResolvers<never>();
  const end = (): void =>
    ended.reject(
      late.aborted
        ? new LoomError(
            'DEADLINE',
            `The call took longer than ${deadlineMs / 1000} s and was stopped. Call again with less.`,
          )
        : new LoomError('CANCELLED', 'The call was cancelled.'),
    );
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await Promise.race([work({ ...control, signal }), ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
};

/** No part over the limit: a client hides a longer one in a file. Tools fit their answers; this holds the rest of them. */
const fitted = (parts: readonly string[]): string[] =>
  parts.flatMap((part) => {
    const pieces: string[] = [];
    let rest = part;
    while (rest.length > partLimit) {
      const line = rest.lastIndexOf('\n', partLimit - 1) + 1;
      const high = (rest.charCodeAt(partLimit - 1) & 0xfc00) === 0xd800;
      const cut = line > 0 ? line : partLimit - (high ? 1 : 0);
      pieces.push(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    return [...pieces, rest];
  });

/** The refusal as the model reads it: clients drop `isError` on the way, so the words say it themselves. */
const refusal = (thrown: unknown, log: Log): string => {
  const error = asLoomError(thrown);
  const { category, retryable, fix } = errorKinds[error.code];
  const again = retryable ? 'may be retried' : 'do not retry unchanged';
  if (error.code !== 'INTERNAL') return `Error ${error.code} (${category}, ${again}): ${error.message}`;
  const request = randomUUID();
  log.error(`request ${request} failed`, thrown);
  return `Error INTERNAL (request ${request}): a fault in Loom. ${fix}`;
};

type Outcome = { caller: Caller | undefined; answer: Answer; failed: boolean };

const outcome = async (host: CallHost, request: CallRequest): Promise<Outcome> => {
  let caller: Caller | undefined;
  try {
    const tool = toolNamedOrThrow(request.name, request.toolset);
    const args = parseArguments(tool, request.arguments);
    caller = await request.caller();
    if (tool.effect === 'execute' && !host.trusted()) throw untrusted(tool.name);
    const { engine, kernel, kernelChoice, trusted, storeCmd = commandsOff } = host;
    const context = {
      engine,
      kernel,
      kernelChoice,
      trusted,
      storeCmd,
      caller,
      readableFolders: host.readableFolders(),
    };
    const answer = await withDeadline(request.control, (control) =>
      tool.run(args, { ...context, control } satisfies ToolContext),
    );
    return { caller, answer, failed: false };
  } catch (error) {
    return { caller, answer: { parts: [refusal(error, host.log)] }, failed: true };
  }
};

/**
 * The one way into every tool: look up, validate, run under a deadline, fit to the budget, bill, answer.
 * Never rejects: what a tool throws becomes an answer that says what to do next.
 */
export const callTool = async (host: CallHost, request: CallRequest): Promise<CallResult> => {
  const start = performance.now();
  const { caller, answer, failed } = await outcome(host, request);
  const parts = fitted(answer.parts);
  const bill = async (): Promise<void> => {
    const { session, conversation, turn, client } = caller ?? (await request.caller());
    await host.engine.recordCall({
      session,
      conversation,
      turn,
      client,
      tool: request.name,
      call: JSON.stringify(request.arguments ?? {}),
      through: answer.through,
      answer: answerTexts(parts, client),
      returned: answer.returned,
      latencyMs: Math.round(performance.now() - start),
    });
  };
  // The bill never delays or fails a call; a figure that is lost is reported as not measured.
  bill().catch((error: unknown) => host.log.error('a call was not billed', error));
  const texts = parts.map((text) => ({ type: 'text' as const, text }));
  const images = (answer.images ?? []).map(({ mime, data }) => ({ type: 'image' as const, data, mimeType: mime }));
  const content = [...texts, ...images];
  return failed ? { content, isError: true } : { content };
};
