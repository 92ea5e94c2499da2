// What one connection is shown, and so what it may call.
import type { Effect, Tool } from '#mcp/defineTool.ts';
import { inToolset, type Toolset } from './toolsets.ts';

export const schemaProfileNames = ['standard', 'compact', 'full'] as const;
/**
 * The shape of a listing: `standard`; `compact` without the words of arguments and with the first paragraph of each
 * description; `full` with output schemas, and answers and refusals as structured content besides their text.
 */
export type SchemaProfile = (typeof schemaProfileNames)[number];

/** The profile of this name, in any case; `otherwise` where there is none such. */
export const schemaProfileNamed = (
  name: string | null | undefined,
  otherwise: SchemaProfile = 'standard',
): SchemaProfile => schemaProfileNames.find((known) => known === name?.trim().toLowerCase()) ?? otherwise;

export type Listing = {
  /** Every tool of Loom, by name. */
  tools: readonly Tool[];
  toolset: Toolset;
  schemaProfile: SchemaProfile;
  /** In a workspace that nobody has trusted, only what reads or keeps is offered. */
  trusted: boolean;
  /** Whoever connected may only read and keep, whatever toolset is listed. */
  readOnly: boolean;
  /** Sentences behind the instructions: what rooms that are on have to say. */
  moreInstructions: readonly string[];
};

export const listingOf = (
  tools: readonly Tool[],
  toolset: Toolset,
  {
    schemaProfile = 'standard',
    trusted = true,
    readOnly = false,
    moreInstructions = [],
  }: Partial<Omit<Listing, 'tools' | 'toolset'>> = {},
): Listing => ({
  tools,
  toolset,
  schemaProfile,
  trusted,
  readOnly: readOnly || toolset === 'readonly',
  moreInstructions,
});

const harmless: readonly Effect[] = ['read', 'keep'];

/** Whether this connection may have such an effect at all. */
export const allows = ({ readOnly, trusted }: Listing, effect: Effect): boolean =>
  harmless.includes(effect) || (trusted && !readOnly);

/** The tools that it lists. */
export const listed = (on: Listing): readonly Tool[] =>
  on.tools.filter((tool) => inToolset(tool, on.toolset) && allows(on, tool.effect));

/** The tool of this name, also with the prefix that a client shows (`mcp_loom_`). */
export const toolNamed = ({ tools }: Pick<Listing, 'tools'>, name: string): Tool | undefined => {
  const plain = name.trim().replace(/^mcp_loom_/, '');
  return tools.find((tool) => tool.name === plain);
};

export type Reach =
  | { by: 'name' }
  /** Through this router. */
  | { by: 'router'; router: Tool }
  | { by: 'nothing' };

/** How a client of this listing can call a tool; a client such as VS Code calls nothing that is not listed. */
export const reach = (on: Listing, tool: Tool): Reach => {
  const offered = listed(on);
  if (offered.includes(tool)) return { by: 'name' };
  const router = allows(on, tool.effect)
    ? offered.find(({ routes = [] }) => (routes as readonly Effect[]).includes(tool.effect))
    : undefined;
  return router === undefined ? { by: 'nothing' } : { by: 'router', router };
};

/** Whether a call by the tool's own name is answered: what is listed is, and what reads or keeps is besides. */
export const answersByName = (on: Listing, tool: Tool): boolean =>
  harmless.includes(tool.effect) || listed(on).includes(tool);
