import { rosterNames, toolsetNames, type Tool, type Toolset, type ToolsetName } from '#mcp/defineTool.ts';
import { tools } from '#mcp/tools/index.ts';

const toolsetOf = (name: string): ToolsetName | undefined => toolsetNames.find((known) => known === name);

/**
 * The toolset of this name: `kernel`, or rosters joined, `core+kernel`, `core,kernel`, or with the space that an unescaped
 * `+` becomes in a URL. One unknown part, or one that does not join, makes the whole unknown: then it is `otherwise`, so
 * that a slip neither widens nor narrows a listing.
 */
export const toolsetNamed = (asked: string | null | undefined, otherwise: Toolset = 'core'): Toolset => {
  const names = (asked ?? '')
    .toLowerCase()
    .split(/[+,\s]+/)
    .filter(Boolean);
  const [only, ...others] = names;
  if (only === undefined) return otherwise;
  if (others.length === 0) return toolsetOf(only) ?? otherwise;
  const rosters = rosterNames.filter((name) => names.includes(name));
  if (new Set(names).size !== rosters.length) return otherwise;
  return rosters.join('+') as Toolset;
};

/** Whether a toolset has a tool, whatever its effect. */
export const inToolset = ({ toolsets }: Tool, toolset: Toolset): boolean =>
  toolset === 'all' ||
  toolset === 'readonly' ||
  toolset.split('+').some((name) => toolsets.some((own) => own === name));

/** The tool of this name, also with the prefix that a client shows (`mcp_loom_`). */
export const toolNamed = (name: string): Tool | undefined => {
  const plain = name.trim().replace(/^mcp_loom_/, '');
  return tools.find((tool) => tool.name === plain);
};
