// Loom's words as a listing can call what they name.
import type { Tool } from '#mcp/defineTool.ts';
import { reach, toolNamed, type Listing } from './listing.ts';

const patterns = new WeakMap<readonly Tool[], RegExp>();

/** Any tool's name in words. Longest first: ctx_store is the beginning of ctx_store_file. */
const anyName = ({ tools }: Listing): RegExp => {
  const known = patterns.get(tools);
  if (known !== undefined) return known;
  const names = tools.map(({ name }) => name).toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<![\\w"])(${names.join('|')})(?![\\w"])`, 'g');
  patterns.set(tools, pattern);
  return pattern;
};

/** The JSON object that `text` begins with, or ''. */
const objectAt = (text: string): string => {
  let depth = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (match[0] === '{') depth++;
    if (match[0] === '}' && --depth === 0) return text.slice(0, match.index + 1);
  }
  return '';
};

/** A call as this listing can make it; `args` is JSON, or '' where only the tool is meant. */
const call = (on: Listing, tool: Tool, args: string, note: (words: string) => string): string => {
  const way = reach(on, tool);
  const plain = args === '' ? tool.name : `${tool.name} ${args}`;
  if (way.by === 'name') return plain;
  if (way.by === 'nothing') return plain + note('not offered here');
  const router = way.router.name;
  return args === '' ? plain + note(`by ${router}`) : `${router} {"op":"${tool.name}","arguments":${args}}`;
};

/** How a name that stands before `next` is given a note: once, and without brackets in brackets. */
const noteBefore =
  (next: string | undefined, first: boolean) =>
  (words: string): string => {
    if (!first) return '';
    return next === ')' ? `, ${words}` : ` (${words})`;
  };

/**
 * Loom's own words with each tool named as this listing can call it: a listed one by its name, another through its router,
 * and what cannot be called at all is said to be so. Whoever writes words for a model names tools and calls plainly,
 * `wait_python {"execution":7}`; it is never used on content.
 */
export const namedFor = (on: Listing, words: string): string => {
  const seen = new Set<Tool>();
  let done = '';
  let from = 0;
  for (const { 0: name, index } of words.matchAll(anyName(on))) {
    const tool = toolNamed(on, name);
    if (tool === undefined || index < from) continue;
    const behind = words.slice(index + name.length);
    const args = behind.startsWith(' {') ? objectAt(behind.slice(1)) : '';
    // A name that is a word too, such as ledger, is meant only where it is called.
    if (args === '' && !name.includes('_')) continue;
    const end = index + name.length + (args === '' ? 0 : args.length + 1);
    done += words.slice(from, index) + call(on, tool, args, noteBefore(words[end], !seen.has(tool)));
    seen.add(tool);
    from = end;
  }
  return done + words.slice(from);
};
