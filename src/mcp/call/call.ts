// The one way into every tool.
import { LoomError, type ErrorTable } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Need, Services } from '#base/room.ts';
import type { CallControl } from '#base/rpc.ts';
import type { AuditCall } from '#mcp/audit/line.ts';
import type { Caller } from '#mcp/caller.ts';
import type { FindArgs, Overview } from '#mcp/defineOverview.ts';
import type { Tool, ToolContext } from '#mcp/defineTool.ts';
import { helpFor } from '#mcp/listing/help.ts';
import { reach, toolNamed, type Listing } from '#mcp/listing/listing.ts';
import { namedFor } from '#mcp/listing/naming.ts';
import { answerTexts } from '#mcp/listing/prompt.ts';
import type { Roster } from '#mcp/listing/toolsets.ts';
import { parseArguments } from './arguments.ts';
import { withDeadline } from './deadline.ts';
import type { Guards } from './guards.ts';
import { takeKey, type Outcome } from './idempotency.ts';
import { idsIn } from './idsIn.ts';
import { isTooDeep, mostLevels } from './json.ts';
import { refusalOf } from './refusal.ts';
import type { CallResult } from './result.ts';
import { targetOf, type Target } from './route.ts';
import { onLinesOfTheirOwn, splitParts } from './splitParts.ts';

/** Services that are made for each call, and no room's. */
type OfCall = 'overviews' | 'listing';

/** What the protocol serves: the rooms' tools, and the services that they need. */
export type House = {
  tools: readonly Tool[];
  rosters: readonly Roster[];
  overviews: readonly Overview[];
  services: Omit<Services, OfCall>;
  /** Every code that a refusal can carry. */
  errors: ErrorTable;
  guards: Guards;
  log: Log;
};

export type CallRequest = {
  name: string;
  arguments: unknown;
  listing: Listing;
  /** The client and its workspace: what the rate is limited by. */
  client: string;
  root: string;
  caller: () => Promise<Caller>;
  control: CallControl;
};

/** What became known of a call on its way, for whoever writes it down. */
type Seen = { target?: Target; caller?: Caller };
type Done = Outcome & { replayed: boolean };

/** What a call is made in: who calls, of which listing, and how it is followed. */
export type CallSite = { listing: Listing; caller: Caller; control: CallControl };

/** The context of what `needs` these services. */
export const contextOf = <N extends Need>(house: House, site: CallSite, needs: readonly N[]): ToolContext<N> => {
  const { listing: on, caller, control } = site;
  const base = { caller, control, named: (words: string) => namedFor(on, words) };
  const ofCall: Pick<Services, OfCall> = {
    listing: {
      offers: (name) => {
        const tool = toolNamed(on, name);
        return tool !== undefined && reach(on, tool).by !== 'nothing';
      },
      help: (query) => helpFor(on, query),
    },
    get overviews() {
      return house.overviews.map(({ title, ways, needs: own, state, find }) => {
        const context = contextOf(house, site, own);
        return { title, ways, state: () => state(context), find: find && ((args: FindArgs) => find(args, context)) };
      });
    },
  };
  const given = needs.map((need) => [
    need,
    need in ofCall ? ofCall[need as OfCall] : house.services[need as Exclude<Need, OfCall>],
  ]);
  return { ...base, ...Object.fromEntries(given) } as ToolContext<N>;
};

const run = async (house: House, request: CallRequest, { tool, args }: Target, caller: Caller): Promise<Outcome> => {
  const { listing, control: given } = request;
  try {
    const { args: parsed, notes } = parseArguments(tool, args);
    const answer = await withDeadline(given, house.guards.deadline, (control) =>
      tool.run(parsed, contextOf(house, { listing, caller, control }, tool.needs)),
    );
    if (notes.length === 0) return { answer };
    // In a part of its own, before the rest: it is none of what was asked for.
    return { answer: { ...answer, parts: [`${notes.join('; ')}.`, ...answer.parts] } };
  } catch (error) {
    return refusalOf(error, (words) => namedFor(listing, words), house);
  }
};

/** Stands for arguments that nothing may walk. */
const tooDeep = '(too deep)';

const outcome = async (house: House, request: CallRequest, seen: Seen): Promise<Done> => {
  const { guards } = house;
  try {
    if (request.arguments === tooDeep)
      throw new LoomError(
        'INVALID_ARGUMENTS',
        `The arguments nest deeper than ${mostLevels} levels; nothing was done.`,
      );
    await guards.limiter?.take(JSON.stringify([request.client, request.root]), request.control.signal);
    const target = targetOf(request.name, request.arguments, request.listing);
    seen.target = target;
    const { tool } = target;
    const { key, args } = takeKey(target.args, Object.keys(tool.input.shape));
    const caller = await request.caller();
    seen.caller = caller;
    const work = (): Promise<Outcome> => run(house, request, { ...target, args }, caller);
    if (key === undefined) return { ...(await work()), replayed: false };
    const { session, client } = caller;
    return await guards.replays.once(JSON.stringify([session, client, tool.name]), key, args, work);
  } catch (error) {
    // What refuses a call before its tool is known has named the calls itself.
    const named =
      seen.target === undefined ? (words: string) => words : (words: string) => namedFor(request.listing, words);
    return { ...refusalOf(error, named, house), replayed: false };
  }
};

const auditOf = (request: CallRequest, { target, caller }: Seen, done: Done, ms: number): AuditCall => ({
  client: caller?.client ?? request.client,
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
  house: House,
  request: CallRequest,
  { target, caller }: Seen,
  { answer }: Done,
  result: CallResult,
  latencyMs: number,
): Promise<void> => {
  const { session, conversation, turn, client } = caller ?? (await request.caller());
  await house.services.ledger.recordCall({
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

const resultOf = ({ answer, code, details }: Outcome, { listing }: CallRequest): CallResult => {
  const texts = splitParts(onLinesOfTheirOwn(answer.parts)).map((text) => ({ type: 'text' as const, text }));
  const images = (answer.images ?? []).map(({ mime, data }) => ({ type: 'image' as const, data, mimeType: mime }));
  const whole = { text: texts.map(({ text }) => text).join('\n') };
  const structured = code === undefined ? (answer.structured ?? whole) : details;
  return {
    content: [...texts, ...images],
    // A client that gets it shows it to its model in place of the text.
    ...(listing.schemaProfile === 'full' && structured && { structuredContent: { ...structured } }),
    ...(code !== undefined && { isError: true as const }),
  };
};

/**
 * The one way into every tool: rate, look up and route, idempotency, validate, run under a deadline, fit to the budget, bill,
 * audit, answer. Never rejects: what a tool throws becomes an answer that says what to do next.
 */
export const callTool = async (house: House, given: CallRequest): Promise<CallResult> => {
  const request = isTooDeep(given.arguments) ? { ...given, arguments: tooDeep } : given;
  const start = performance.now();
  const seen: Seen = {};
  const done = await outcome(house, request, seen);
  const ms = Math.round(performance.now() - start);
  house.guards.audit?.add(auditOf(request, seen, done, ms));
  const result = resultOf(done, request);
  bill(house, request, seen, done, result, ms).catch((error: unknown) =>
    house.log.error('a call was not billed', error),
  );
  return result;
};
