// What the server's instructions say of the archive while it is on.
/** Copilot mostly compacts a conversation without a word to any hook. */
export const archiveInstruction =
  'Large terminal and MCP results are kept too: after a compaction, ctx_search finds them.';
