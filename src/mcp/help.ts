import { z } from 'zod';
import type { Tool } from './defineTool.ts';
import { namedFor } from './naming.ts';
import { inputSchema } from './schema.ts';
import { reach, type Surface } from './surface.ts';
import { tools } from './tools/index.ts';

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

const way = (on: Surface, tool: Tool): string => {
  const { by, ...more } = reach(on, tool) as { by: string; router?: Tool };
  if (by === 'name') return ' [call it by its name]';
  if (by === 'router') return more.router?.name === 'loom_op' ? '' : ` [by ${more.router?.name}]`;
  return ` [not offered here: effect ${tool.effect}, toolset ${[...tool.toolsets, 'all'].join(', ')}]`;
};

const stem = (word: string): string => word.replace(/(ies|es|s|ing|ed)$/, '');

/** How well a tool fits: a word in its name counts more than one in its words. */
const score = (tool: Tool, words: readonly string[]): number => {
  const fields = Object.entries(tool.input.shape).map(
    ([name, field]) => `${name} ${(field as z.ZodType).description ?? ''}`,
  );
  const name = `${tool.name} ${tool.title}`.toLowerCase();
  const rest = [tool.description, ...fields].join(' ').toLowerCase();
  return words.reduce((sum, word) => sum + (name.includes(word) ? 4 : 0) + (rest.includes(word) ? 1 : 0), 0);
};

/** The tools that fit the query best, one a line, each with its arguments and how it is called here. */
export const helpFor = (on: Surface, query: string): string => {
  const words = query
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map(stem)
    .filter(Boolean);
  const offered = tools.filter(({ routes }) => routes === undefined);
  const ranked = offered
    .map((tool) => ({ tool, points: score(tool, words) }))
    .filter(({ points }) => words.length === 0 || points > 0)
    .toSorted((a, b) => b.points - a.points);
  const found = ranked.length > 0 ? ranked.map(({ tool }) => tool) : offered;
  const shown = found.slice(0, most);
  const head =
    ranked.length > 0
      ? `${found.length > most ? `${most} of ${found.length} tools` : 'Tools'} that match, best first (? marks what may be left out). Call: loom_op {"op":"ctx_check","arguments":{"facts":["…"]}}`
      : `No tool matches "${query.slice(0, 60)}". All there are${found.length > most ? `, the first ${most}` : ''}:`;
  const lines = shown.map(
    (tool) => `${tool.name} ${signature(tool)}${way(on, tool)}: ${namedFor(on, firstWords(tool.description))}`,
  );
  return [head, ...lines].join('\n');
};
