import type { Effect, Tool, Toolset } from '#mcp/defineTool.ts';
import { inToolset } from './toolsets.ts';
import { tools } from '#mcp/tools/index.ts';

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

/** What one connection is shown, and so what it may call. */
export type Surface = {
  toolset: Toolset;
  schemaProfile: SchemaProfile;
  /** In a workspace that nobody has trusted, only what reads or keeps is offered. */
  trusted: boolean;
  /** Large results of other tools are kept in the drawer (archive.ts). */
  archive: boolean;
};

export const surface = (
  toolset: Toolset,
  { schemaProfile = 'standard', trusted = true, archive = false }: Partial<Omit<Surface, 'toolset'>> = {},
): Surface => ({ toolset, schemaProfile, trusted, archive });

const harmless: readonly Effect[] = ['read', 'keep'];

/** Whether this connection may have such an effect at all. */
export const allows = ({ toolset, trusted }: Surface, effect: Effect): boolean =>
  harmless.includes(effect) || (trusted && toolset !== 'readonly');

/** The tools that it lists. */
export const listed = (on: Surface): readonly Tool[] =>
  tools.filter((tool) => inToolset(tool, on.toolset) && allows(on, tool.effect));

export type Reach =
  | { by: 'name' }
  /** Through this router. */
  | { by: 'router'; router: Tool }
  | { by: 'nothing' };

/** How a client of this listing can call a tool; a client such as VS Code calls nothing that is not listed. */
export const reach = (on: Surface, tool: Tool): Reach => {
  const offered = listed(on);
  if (offered.includes(tool)) return { by: 'name' };
  const router = allows(on, tool.effect)
    ? offered.find(({ routes = [] }) => (routes as readonly Effect[]).includes(tool.effect))
    : undefined;
  return router === undefined ? { by: 'nothing' } : { by: 'router', router };
};

/** Whether a call by the tool's own name is answered: what is listed is, and what reads or keeps is besides. */
export const answersByName = (on: Surface, tool: Tool): boolean =>
  harmless.includes(tool.effect) || listed(on).includes(tool);
