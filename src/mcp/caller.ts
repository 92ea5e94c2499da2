/** Who calls a tool, as the door it came in by knows it. */
export type Caller = {
  /** The kind of client: `vscode` for everything in the editor, else the name that the client gave itself. */
  client: string;
  /** The drawer's session of this client in this workspace root. */
  session: string;
  /** VS Code's conversation, else the MCP session: the unit of the bill. */
  conversation: string;
  /** VS Code's request id: one turn. Undefined where the client tells none. */
  turn: string | undefined;
};

/** Units of a client's name. */
const mostName = 64;

/** What a client calls itself, as lists and logs have it: one short line without control characters. */
export const clientName = (given: string | undefined): string =>
  (given ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, mostName)
    .trim() || 'unknown';

/** VS Code 1.139 was seen to send `vscode.conversationId` and `vscode.requestId` in `_meta` of a call. */
export type Meta = { readonly [key: string]: unknown } | undefined;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The caller of one request: conversation and turn from its `_meta` where the client tells them. */
export const callerOf = (client: string, session: string, mcpSession: string, meta: Meta): Caller => ({
  client,
  session,
  conversation: text(meta?.['vscode.conversationId']) ?? mcpSession,
  turn: text(meta?.['vscode.requestId']),
});
