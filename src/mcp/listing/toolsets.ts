// Toolsets: the names by which a client chooses what is listed.
import type { Tool } from '#mcp/defineTool.ts';

/** Tools that are listed together, `core` or those of a room; a client can join several. */
export type Roster = {
  name: string;
  /** Words for the person who chooses. */
  description: string;
};

export const core: Roster = {
  name: 'core',
  description: 'Store, get, search: what an agent needs on most turns.',
};

/** What a connection lists: a roster, rosters joined by `+` in their order, `readonly` or `all`. */
export type Toolset = string;

/** `readonly` has every `read` and `keep` tool, `all` every tool; neither joins, and no tool names them. */
const alone: readonly string[] = ['readonly', 'all'];
export const toolsetNames = (rosters: readonly Roster[]): string[] => [...rosters.map(({ name }) => name), ...alone];

/** Every two names that can be joined. */
export const joinable = (names: readonly string[]): string[] =>
  names.flatMap((one, n) => names.slice(n + 1).map((other) => `${one}+${other}`));

/**
 * The toolset of this name: `kernel`, or rosters joined, `core+kernel`, `core,kernel`, or with the space that an unescaped
 * `+` becomes in a URL. One unknown part, or one that does not join, makes the whole unknown: then it is `otherwise`, so
 * that a slip neither widens nor narrows a listing.
 */
export const toolsetNamed = (
  rosters: readonly Roster[],
  asked: string | null | undefined,
  otherwise: Toolset = 'core',
): Toolset => {
  const names = (asked ?? '')
    .toLowerCase()
    .split(/[+,\s]+/)
    .filter(Boolean);
  const [only, ...others] = names;
  if (only === undefined) return otherwise;
  if (others.length === 0) return toolsetNames(rosters).find((known) => known === only) ?? otherwise;
  const joined = rosters.filter(({ name }) => names.includes(name));
  if (new Set(names).size !== joined.length) return otherwise;
  return joined.map(({ name }) => name).join('+');
};

/** Whether a toolset has a tool, whatever its effect. */
export const inToolset = ({ toolsets }: Tool, toolset: Toolset): boolean =>
  alone.includes(toolset) || toolset.split('+').some((name) => toolsets.includes(name));
