import type { Log } from '#base/log.ts';
import type { CallControl } from '#base/rpc.ts';
import type { KernelChoice } from '#kernel/types.ts';
import { parseArguments } from './arguments.ts';
import type { AuditCall } from '#mcp/audit/line.ts';
import type { Caller } from '#mcp/caller.ts';
import { withDeadline } from './deadline.ts';
import type { ToolContext } from '#mcp/defineTool.ts';
import type { EngineClient } from '#host/engine.ts';
import { fitted } from './splitParts.ts';
import type { Gates } from './guards.ts';
import { helpFor } from '#mcp/listing/help.ts';
import { idsIn } from './idsIn.ts';
import type { KernelClient } from '#host/kernels.ts';
import { namedFor } from '#mcp/listing/naming.ts';
import { answerTexts } from '#mcp/listing/prompt.ts';
import { refusalOf } from './refusal.ts';
import { toolNamed } from '#mcp/listing/toolsets.ts';
import { takeKey, type Outcome } from './idempotency.ts';
import { targetOf, type Target } from './route.ts';
import { reach, type Surface } from '#mcp/listing/listing.ts';

export type CallHost = {
  engine: EngineClient;
  log: Log;
  gates: Gates;
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
  surface: Surface;
  /** The client and its workspace: what the rate is limited by. */
  client: string;
  root: string;
  caller: () => Promise<Caller>;
  control: CallControl;
};

type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
export type CallResult = { content: Content[]; structuredContent?: Record<string, unknown>; isError?: true };

/** What became known of a call on its way, for whoever writes it down. */
type Seen = { target?: Target; caller?: Caller };
type Done = Outcome & { replayed: boolean };

/** What a tool says of others, as this listing knows them. */
export const wordsFor = (on: Surface): Pick<ToolContext, 'named' | 'offers' | 'help'> => ({
  named: (words) => namedFor(on, words),
  offers: (name) => {
    const tool = toolNamed(name);
    return tool !== undefined && reach(on, tool).by !== 'nothing';
  },
  help: (query) => helpFor(on, query),
});

const run = async (host: CallHost, request: CallRequest, { tool, args }: Target, caller: Caller): Promise<Outcome> => {
  const { engine, kernel, kernelChoice, trusted, storeCmd = commandsOff, log } = host;
  const named = (words: string): string => namedFor(request.surface, words);
  try {
    const parsed = parseArguments(tool, args);
    const readableFolders = host.readableFolders();
    const words = wordsFor(request.surface);
    const context = { engine, kernel, kernelChoice, trusted, storeCmd, caller, readableFolders, ...words };
    const answer = await withDeadline(request.control, host.gates.deadline, (control) =>
      tool.run(parsed, { ...context, control } satisfies ToolContext),
    );
    return { answer };
  } catch (error) {
    return refusalOf(error, named, log);
  }
};

const outcome = async (host: CallHost, request: CallRequest, seen: Seen): Promise<Done> => {
  const { gates } = host;
  try {
    await gates.limiter?.take(JSON.stringify([request.client, request.root]), request.control.signal);
    const target = targetOf(request.name, request.arguments, request.surface);
    seen.target = target;
    const { tool } = target;
    const { key, args } = takeKey(target.args, Object.keys(tool.input.shape));
    const caller = await request.caller();
    seen.caller = caller;
    const work = (): Promise<Outcome> => run(host, request, { ...target, args }, caller);
    if (key === undefined) return { ...(await work()), replayed: false };
    const { session, client } = caller;
    return await gates.replays.once(JSON.stringify([session, client, tool.name]), key, args, work);
  } catch (error) {
    // What refuses a call before its tool is known has named the calls itself.
    const named = seen.target === undefined ? (words: string) => words : wordsFor(request.surface).named;
    return { ...refusalOf(error, named, host.log), replayed: false };
  }
};

const auditOf = (request: CallRequest, { target, caller }: Seen, done: Done, ms: number): AuditCall => ({
  client: (caller?.client ?? request.client).slice(0, 64),
  session: caller?.session,
  tool: target?.tool.name ?? '(unknown)',
  through: target?.through?.name,
  effect: target?.tool.effect,
  outcome: done.replayed ? 'replayed' : done.code === undefined ? 'done' : 'refused',
  code: done.code,
  received: JSON.stringify(request.arguments ?? {}).length,
  answered: done.answer.parts.reduce((sum, part) => sum + part.length, 0),
  ms,
  ids: [...idsIn(target?.args ?? {}), ...(done.answer.ids ?? [])],
});

/** The bill never delays or fails a call; a figure that is lost is reported as not measured. */
const bill = async (
  host: CallHost,
  request: CallRequest,
  { target, caller }: Seen,
  { answer }: Done,
  result: CallResult,
  latencyMs: number,
): Promise<void> => {
  const { session, conversation, turn, client } = caller ?? (await request.caller());
  await host.engine.recordCall({
    session,
    conversation,
    turn,
    client,
    tool: target?.tool.name ?? '(unknown)',
    call: JSON.stringify(request.arguments ?? {}),
    through: answer.through,
    answer: answerTexts(result, client),
    returned: answer.returned,
    latencyMs,
  });
};

const resultOf = ({ answer, code, details }: Outcome, { surface }: CallRequest): CallResult => {
  const texts = fitted(answer.parts).map((text) => ({ type: 'text' as const, text }));
  const images = (answer.images ?? []).map(({ mime, data }) => ({ type: 'image' as const, data, mimeType: mime }));
  const structured = code === undefined ? answer.structured : details;
  return {
    content: [...texts, ...images],
    // A client that gets it shows it to its model in place of the text.
    ...(surface.schemaProfile === 'full' && structured && { structuredContent: { ...structured } }),
    ...(code !== undefined && { isError: true as const }),
  };
};

/**
 * The one way into every tool: rate, look up and route, idempotency, validate, run under a deadline, fit to the budget, bill,
 * audit, answer. Never rejects: what a tool throws becomes an answer that says what to do next.
 */
export const callTool = async (host: CallHost, request: CallRequest): Promise<CallResult> => {
  const start = performance.now();
  const seen: Seen = {};
  const done = await outcome(host, request, seen);
  const ms = Math.round(performance.now() - start);
  host.gates.audit?.add(auditOf(request, seen, done, ms));
  const result = resultOf(done, request);
  bill(host, request, seen, done, result, ms).catch((error: unknown) => host.log.error('a call was not billed', error));
  return result;
};
