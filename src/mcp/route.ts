import { closestMatch } from 'leven';
import { LoomError } from '#base/errors.ts';
import { asJson, isFields, unwrapped, type Fields } from './arguments.ts';
import type { Effect, Tool } from './defineTool.ts';
import { toolNamed } from './registry.ts';
import { allows, answersByName, listed, reach, type Surface } from './surface.ts';
import { tools } from './tools/index.ts';
import { untrusted } from './trust.ts';

/** The tool that does the work, and what it is to be given. */
export type Target = { tool: Tool; args: Fields; through: Tool | undefined };

const unknown = (name: string, on: Surface, what: string): LoomError => {
  const near = closestMatch(
    name.replace(/^mcp_loom_/, ''),
    tools.map((tool) => tool.name),
    { maxDistance: 5 },
  );
  const guess = near === undefined ? '' : ` Did you mean ${near}?`;
  const names = listed(on).map((tool) => tool.name);
  const find = names.includes('loom_op') ? ` loom_op {"op":"help","query":"…"} finds others.` : '';
  return new LoomError(
    'UNKNOWN_TOOL',
    `There is no ${what} "${name.slice(0, 60)}"; nothing was done.${guess} Tools here: ${names.join(', ')}.${find}`,
  );
};

const toolsetsOf = (tool: Tool): string => [...tool.toolsets, 'all'].join(', ');

/** Why a tool is not to be had here, and who can change that. */
const notOffered = (tool: Tool, on: Surface, code: 'NOT_LISTED' | 'NOT_ROUTED'): LoomError => {
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
    return new LoomError(code, `Nothing was done. Call it as ${name} ${JSON.stringify(tool.example)}.`);
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
  return inner === undefined || inner === null ? beside : { ...beside, arguments: inner };
};

const routed = (router: Tool, op: string, given: Fields, on: Surface): Target => {
  const tool = toolNamed(op);
  if (tool === undefined) throw unknown(op, on, 'op');
  if (tool.routes !== undefined)
    throw new LoomError(
      'NOT_ROUTED',
      `${router.name} does not call ${tool.name}; nothing was done. Put the tool's own name in op.`,
    );
  const effects: readonly Effect[] = router.routes ?? [];
  if (!effects.includes(tool.effect) || !allows(on, tool.effect)) throw notOffered(tool, on, 'NOT_ROUTED');
  return { tool, args: routedArguments(given), through: router };
};

/** What a call asks for: the tool of that name, or what it has a router call. Refuses what this listing does not offer. */
export const targetOf = (name: string, raw: unknown, on: Surface): Target => {
  const tool = toolNamed(name);
  if (tool === undefined) throw unknown(name, on, 'tool');
  if (!answersByName(on, tool) || !allows(on, tool.effect)) throw notOffered(tool, on, 'NOT_LISTED');
  const args = unwrapped(raw, Object.keys(tool.input.shape));
  const op = typeof args['op'] === 'string' ? args['op'].trim() : undefined;
  if (tool.routes === undefined || op === undefined || op === 'help') return { tool, args, through: undefined };
  return routed(tool, op, args, on);
};
