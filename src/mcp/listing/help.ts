// Which tools fit what somebody needs.
import { z } from 'zod';
import { counted } from '#base/text.ts';
import { terms } from '#text/query.ts';
import { rankByFields, type Field } from '#text/rank.ts';
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

/** What a word of the query counts, by where it stands. */
const fieldsOf = ({ name, title, description, input }: Tool): Field[] => {
  const fields = Object.entries(input.shape).map(([field, { description: words = '' }]) => `${field} ${words}`);
  return [
    { text: `${name} ${title}`, worth: 4 },
    { text: [description, ...fields].join(' '), worth: 1 },
  ];
};

/** Tools that fit, best first; of those that fit alike the ones that are not listed come first. */
const ranked = (on: Listing, query: string): Tool[] => {
  const isListed = (tool: Tool): number => (reach(on, tool).by === 'name' ? 1 : 0);
  const tools = on.tools.filter(({ routes }) => routes === undefined).toSorted((a, b) => isListed(a) - isListed(b));
  return terms(query).length === 0 ? tools : rankByFields(tools, query, fieldsOf).map(({ item }) => item);
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
