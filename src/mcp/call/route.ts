// Which tool a call asks for.
import { LoomError } from '#base/errors.ts';
import { unwrapped } from './arguments.ts';
import { asJson, isFields, type Fields } from './json.ts';
import { isEmpty } from './meant.ts';
import type { Effect, Tool } from '#mcp/defineTool.ts';
import { closestTo } from '#mcp/listing/help.ts';
import { namedFor } from '#mcp/listing/naming.ts';
import { allows, answersByName, listed, reach, toolNamed, type Listing } from '#mcp/listing/listing.ts';
import { nearWords } from '#text/nearWords.ts';
import { untrusted } from '#mcp/trust.ts';

/** The tool that does the work, and what it is to be given. */
export type Target = { tool: Tool; args: Fields; through: Tool | undefined };

/** A right call of a tool, as this listing makes it. */
const exampleOf = (tool: Tool, on: Listing, args: Fields = tool.example): string =>
  namedFor(on, `${tool.name} ${JSON.stringify(args)}`);

const unknown = (name: string, args: Fields, on: Listing, what: string): LoomError => {
  const plain = name.replace(/^mcp_loom_/, '');
  const [spelt] = nearWords(
    plain,
    on.tools.map((tool) => tool.name),
    2,
  );
  const near = spelt === undefined ? closestTo(on, plain) : toolNamed(on, spelt);
  const guess =
    near === undefined
      ? ''
      : ` Did you mean ${exampleOf(near, on, near.input.safeParse(args).success ? args : near.example)}?`;
  const names = listed(on).map((tool) => tool.name);
  const find = names.includes('loom_op') ? ` loom_op {"op":"help","query":"…"} finds others.` : '';
  return new LoomError(
    'UNKNOWN_TOOL',
    `There is no ${what} "${name.slice(0, 60)}"; nothing was done.${guess} Tools here: ${names.join(', ')}.${find}`,
  );
};

const toolsetsOf = (tool: Tool): string => [...tool.toolsets, 'all'].join(' or ');

/** Longer arguments are not repeated. */
const mostRepeated = 400;

/** Why a tool is not to be had here in this way, and how it is, or who can change that. */
const notOffered = (tool: Tool, args: Fields, on: Listing, code: 'NOT_LISTED' | 'NOT_ROUTED'): LoomError => {
  const { name, effect } = tool;
  if (!on.trusted && !allows(on, effect)) return untrusted(name);
  if (!allows(on, effect))
    return new LoomError(
      'NOT_LISTED',
      `${name} changes something (effect ${effect}), and this connection only reads (toolset readonly); nothing was done. A person chooses another toolset: loom.toolset in VS Code, LOOM_MCP_TOOLSET elsewhere.`,
    );
  const way = reach(on, tool);
  if (way.by === 'name')
    return new LoomError(
      code,
      `${name} runs under its own name only; nothing was done. Call ${name} itself: it is listed.`,
    );
  if (way.by === 'router')
    return new LoomError(
      code,
      `Nothing was done. Call it as ${exampleOf(tool, on, JSON.stringify(args).length > mostRepeated ? tool.example : args)}`,
    );
  return new LoomError(
    code,
    `${name} (effect ${effect}) runs under its own listed name only, so that a person is asked for it, and it is not listed here; nothing was done. ` +
      `A person lists it with toolset ${toolsetsOf(tool)}: loom.toolset in VS Code, LOOM_MCP_TOOLSET elsewhere.`,
  );
};

/** The arguments of a routed call: under `arguments`, as an object or as its JSON, or, where a model forgot that, beside `op`. */
const routedArguments = (given: Fields): Fields => {
  const { op: _, arguments: inner, ...beside } = given;
  const fields = typeof inner === 'string' ? asJson(inner) : inner;
  if (isFields(fields)) return { ...beside, ...fields };
  return inner === undefined || isEmpty(inner) ? beside : { ...beside, arguments: inner };
};

const routed = (router: Tool, op: string, given: Fields, on: Listing): Target => {
  const tool = toolNamed(on, op);
  if (tool === undefined) throw unknown(op, routedArguments(given), on, 'op');
  if (tool.routes !== undefined)
    throw new LoomError(
      'NOT_ROUTED',
      `${router.name} does not call ${tool.name}; nothing was done. ${reach(on, tool).by === 'name' && tool !== router ? `Call ${tool.name} itself.` : 'Put the name of another tool in op.'}`,
    );
  const args = routedArguments(given);
  const effects: readonly Effect[] = router.routes ?? [];
  if (!effects.includes(tool.effect) || !allows(on, tool.effect)) throw notOffered(tool, args, on, 'NOT_ROUTED');
  return { tool, args, through: router };
};

/** What a call asks for: the tool of that name, or what it has a router call. Refuses what this listing does not offer. */
export const targetOf = (name: string, raw: unknown, on: Listing): Target => {
  const tool = toolNamed(on, name);
  if (tool === undefined) throw unknown(name, unwrapped(raw, []), on, 'tool');
  const args = unwrapped(raw, Object.keys(tool.input.shape));
  if (!answersByName(on, tool) || !allows(on, tool.effect)) throw notOffered(tool, args, on, 'NOT_LISTED');
  if (tool.routes === undefined) return { tool, args, through: undefined };
  const op = (typeof args['op'] === 'string' && args['op'].trim()) || undefined;
  // Who names no op and asks for something asks for help.
  if (op === undefined && typeof args['query'] === 'string')
    return { tool, args: { op: 'help', ...args }, through: undefined };
  return op === undefined || op === 'help' ? { tool, args, through: undefined } : routed(tool, op, args, on);
};
