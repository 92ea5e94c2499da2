// Which tools fit what somebody needs.
import { z } from 'zod';
import { counted } from '#base/text.ts';
import type { Tool } from '#mcp/defineTool.ts';
import { inputSchema } from './schema.ts';
import { allows, reach, type Listing } from './listing.ts';

const most = 15;

type Property = { type?: string; enum?: unknown[]; items?: Property };

const typeOf = ({ type = 'any', enum: values, items }: Property): string => {
  if (values !== undefined) return values.join('|');
  return type === 'array' ? `${typeOf(items ?? {})}[]` : type;
};

/** `{facts: string[], doc?: string}`: the arguments that are listed, `?` where one may be left out. */
const signature = ({ input, unlisted = [] }: Tool): string => {
  const properties = Object.entries((inputSchema(input)['properties'] ?? {}) as Record<string, Property>);
  const shown = properties.filter(([name]) => !unlisted.includes(name));
  const optional = (name: string): string =>
    z.safeParse(input.shape[name] as z.ZodType, undefined).success ? '?' : '';
  return `{${shown.map(([name, property]) => `${name}${optional(name)}: ${typeOf(property)}`).join(', ')}}`;
};

/** Up to the first full stop, or the first colon where that comes sooner. */
const firstWords = (description: string): string => /^.*?(?=[.:](?:\s|$))/.exec(description)?.[0] ?? description;

/** How a tool is called here, where loom_op does not do it. */
const way = (on: Listing, tool: Tool): string => {
  const to = reach(on, tool);
  if (to.by === 'router') return to.router.name === 'loom_op' ? '' : ` [by ${to.router.name}]`;
  if (!allows(on, tool.effect))
    return ` [not offered here: effect ${tool.effect}, and this connection only reads${on.trusted ? '' : ', as nobody has trusted the workspace'}]`;
  return ` [not offered here: effect ${tool.effect}, toolset ${[...tool.toolsets, 'all'].join(', ')}]`;
};

/** The arguments of what is listed are known to whoever asks. */
const line = (on: Listing, tool: Tool): string => {
  const words = firstWords(tool.description);
  if (reach(on, tool).by === 'name') return `${tool.name} [listed]: ${words}`;
  return `${tool.name} ${signature(tool)}${way(on, tool)}: ${words}`;
};

/** What says nothing of a tool. */
const idle = new Set(
  'a an and are at be by can did do does for from get has have how i if in is it its me my of on or that the this to tool use was what when which with you your'.split(
    ' ',
  ),
);

/** Words as they begin: `searching` and `searches` are looked for as `search`. */
const beginnings = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !idle.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(ies|es|s|ing|ed|e)$/, '') : word));

/** How well a tool fits: a word of its name or title counts more than one of its description or arguments. */
const score = (tool: Tool, beginning: string): number => {
  const has = (text: string): boolean => beginnings(text).some((word) => word.startsWith(beginning));
  const fields = Object.entries(tool.input.shape).map(([name, { description = '' }]) => `${name} ${description}`);
  if (has(`${tool.name} ${tool.title}`)) return 4;
  return has([tool.description, ...fields].join(' ')) ? 1 : 0;
};

/** Tools that fit, best first; of those that fit alike the ones that are not listed come first. */
const ranked = (on: Listing, query: string): Tool[] => {
  const words = beginnings(query);
  return on.tools
    .filter(({ routes }) => routes === undefined)
    .map((tool) => ({
      tool,
      points: words.reduce((sum, word) => sum + score(tool, word), 0),
      listed: reach(on, tool).by === 'name' ? 1 : 0,
    }))
    .filter(({ points }) => words.length === 0 || points > 0)
    .toSorted((a, b) => b.points - a.points || a.listed - b.listed)
    .map(({ tool }) => tool);
};

/** The tool that the words of a name fit best, if any. */
export const closestTo = (on: Listing, name: string): Tool | undefined => ranked(on, name.replaceAll('_', ' '))[0];

const example = 'Call: loom_op {"op":"ctx_check","arguments":{"facts":["…"]}}';

/** The tools that fit the query best, one a line, each with its arguments and how it is called here. */
export const helpFor = (on: Listing, query: string): string => {
  const fitting = ranked(on, query);
  const found = fitting.length > 0 ? fitting : ranked(on, '');
  const shown = found.slice(0, most);
  const count = found.length > most ? `${most} of ${found.length} tools` : counted(found.length, 'tool');
  const what = fitting.length > 0 ? `${count}, best first` : `No tool matches "${query.slice(0, 60)}"; ${count}`;
  return [`${what} (? marks what may be left out). ${example}`, ...shown.map((tool) => line(on, tool))].join('\n');
};
