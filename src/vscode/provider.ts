// The offer of the window's server to VS Code.
import * as vscode from 'vscode';
import type { HttpHost } from '#mcp/http/windowHost.ts';

/** The id that the MCP provider is contributed and registered under. */
export const providerId = 'loom.drawer';
/** The server's name in VS Code; tools show as `mcp_<label in lower case>_<tool>`. */
export const serverLabel = 'Loom';

export type ProviderOptions = {
  host: Promise<HttpHost>;
  /** Changes whenever the listing does: VS Code caches tools by it. */
  version: () => string;
  onVersionChange: (listener: () => void) => vscode.Disposable;
};

/** Offers the server of this window to VS Code's own MCP client, and so to Copilot's agent mode. */
export const registerProvider = ({ host, version, onVersionChange }: ProviderOptions): vscode.Disposable => {
  const changed = new vscode.EventEmitter<void>();
  const provider = vscode.lm.registerMcpServerDefinitionProvider(providerId, {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: async () => {
      const { url, headers } = await host;
      return [new vscode.McpHttpServerDefinition(serverLabel, vscode.Uri.parse(url), headers, version())];
    },
  });
  return vscode.Disposable.from(
    provider,
    changed,
    onVersionChange(() => changed.fire()),
  );
};
