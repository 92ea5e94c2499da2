import { closestMatch } from 'leven';
import { LoomError } from '#base/errors.ts';
import { toolsetNames, type Tool, type ToolsetName } from './defineTool.ts';
import { tools } from './tools/index.ts';

/** The toolset of this name; an unknown one is `core`, so that a client with an old setting still gets tools. */
export const toolsetNamed = (name: string | undefined): ToolsetName =>
  toolsetNames.find((known) => known === name?.toLowerCase()) ?? 'core';

/** The tools that a toolset lists. */
export const listed = (toolset: ToolsetName): readonly Tool[] =>
  toolset === 'all' ? tools : tools.filter((tool) => tool.toolsets.includes(toolset));

/** What can be called by name where `toolset` is listed: all of it, and every `read` and `keep` tool besides. */
const callable = (toolset: ToolsetName): readonly Tool[] =>
  tools.filter((tool) => tool.effect === 'read' || tool.effect === 'keep' || listed(toolset).includes(tool));

/** The tool of this name, also with the prefix that a client shows (`mcp_loom_`). */
export const toolNamedOrThrow = (name: string, toolset: ToolsetName): Tool => {
  const plain = name.replace(/^mcp_loom_/, '');
  const offered = callable(toolset);
  const tool = offered.find((one) => one.name === plain);
  if (tool) return tool;
  const names = offered.map((one) => one.name);
  const near = closestMatch(plain, names, { maxDistance: 4 });
  const guess = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new LoomError('UNKNOWN_TOOL', `There is no tool "${name}".${guess} Tools: ${names.join(', ')}.`);
};
