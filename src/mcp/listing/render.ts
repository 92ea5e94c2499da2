// A listing as a client gets it.
import { createHash } from 'node:crypto';
import { annotationsOf, type Annotations } from './annotations.ts';
import type { Tool } from '#mcp/defineTool.ts';
import { instructions } from './instructions.ts';
import { namedFor } from './naming.ts';
import { inputSchema, outputSchema, type JsonSchema } from './schema.ts';
import { listed, type Listing } from './listing.ts';

export type ListedTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations: Annotations;
};

type Property = { [key: string]: unknown };

/** A schema's own words, those within it too, as `words` makes them; undefined takes them away. */
const worded = (schema: Property, words: (text: string) => string | undefined): Property => {
  const { description, properties, items, ...rest } = schema;
  const text = typeof description === 'string' ? words(description) : undefined;
  return {
    ...(text !== undefined && { description: text }),
    ...rest,
    ...(items !== undefined && { items: worded(items as Property, words) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, Property>).map(([name, inner]) => [name, worded(inner, words)]),
      ),
    }),
  };
};

const listedSchema = ({ input, unlisted = [] }: Tool, on: Listing): JsonSchema => {
  const { properties = {}, ...rest } = inputSchema(input);
  const shown = Object.entries(properties).filter(([name]) => !unlisted.includes(name));
  const words = (text: string): string | undefined => (on.schemaProfile === 'compact' ? undefined : namedFor(on, text));
  return worded({ ...rest, properties: Object.fromEntries(shown) }, words) as JsonSchema;
};

const listing = (tool: Tool, on: Listing): ListedTool => {
  const [first = ''] = tool.description.split('\n\n');
  return {
    name: tool.name,
    title: tool.title,
    description: namedFor(on, on.schemaProfile === 'compact' ? first : tool.description),
    inputSchema: listedSchema(tool, on),
    ...(on.schemaProfile === 'full' && { outputSchema: outputSchema(tool.output) }),
    annotations: annotationsOf[tool.effect],
  };
};

/** What `tools/list` answers. */
export const listTools = (on: Listing): ListedTool[] => listed(on).map((tool) => listing(tool, on));

/** What the server says of itself at the beginning. */
export const instructionsFor = (on: Listing): string => namedFor(on, [instructions, ...on.moreInstructions].join(' '));

/** Changes whenever a listing does: VS Code caches tools by it. */
export const listingVersion = (version: string, on: Listing): string => {
  const hash = createHash('sha256').update(JSON.stringify([listTools(on), instructionsFor(on)]));
  return `${version}-${hash.digest('hex').slice(0, 8)}`;
};
