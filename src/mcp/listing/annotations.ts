// MCP's hints of a tool.
import type { Effect } from '#mcp/defineTool.ts';

export type Annotations = { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean };

/**
 * MCP's hints, derived from the effect. `keep` is shown as read-only: it changes nothing that anybody sees outside Loom,
 * and VS Code would ask before each call otherwise. `openWorldHint` is never set: with it VS Code asks to approve results.
 */
export const annotationsOf: Record<Effect, Annotations> = {
  read: { readOnlyHint: true },
  keep: { readOnlyHint: true, idempotentHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
  execute: { readOnlyHint: false, destructiveHint: true },
};
