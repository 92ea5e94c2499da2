import { createHash } from 'node:crypto';
import { annotationsOf, type Annotations } from './annotations.ts';
import type { Tool, ToolsetName } from './defineTool.ts';
import { instructions } from './instructions.ts';
import { listed } from './registry.ts';
import { inputSchema } from './schema.ts';

export type ListedTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: ReturnType<typeof inputSchema>;
  annotations: Annotations;
};

const listedSchema = ({ input, unlisted = [] }: Tool): ListedTool['inputSchema'] => {
  const { properties = {}, ...rest } = inputSchema(input) as ListedTool['inputSchema'] & { properties?: object };
  const shown = Object.entries(properties).filter(([name]) => !unlisted.includes(name));
  return { ...rest, properties: Object.fromEntries(shown) };
};

const listing = (tool: Tool): ListedTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: listedSchema(tool),
  annotations: annotationsOf[tool.effect],
});

/** What `tools/list` answers for a toolset. */
export const listTools = (toolset: ToolsetName): ListedTool[] => listed(toolset).map(listing);

/** Changes whenever a listing does: VS Code caches tools by it. */
export const listingVersion = (version: string, toolset: ToolsetName): string => {
  const hash = createHash('sha256').update(JSON.stringify([listTools(toolset), instructions]));
  return `${version}-${hash.digest('hex').slice(0, 8)}`;
};
