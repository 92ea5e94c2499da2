// Loom as another extension, or the agent, meets it in VS Code.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as vscode from 'vscode';
import { patience } from '#scripts/patience.ts';
import { until } from '#scripts/until.ts';

/** What `activate` returns, as far as the tests use it. */
type Api = { endpoint: () => Promise<{ url: string; headers: Record<string, string> }> };

export const activated = async (): Promise<Api> => {
  const extension = vscode.extensions.getExtension<Api>('loom.loom');
  assert(extension, 'loom.loom is not installed');
  return extension.activate();
};

const shown = (tool: string): string => `mcp_loom_${tool}`;

/** Starts Loom's MCP server the way Copilot does, and waits until VS Code lists its tools. */
export const listed = async (): Promise<string[]> => {
  await activated();
  return until('tools of Loom', patience, async () => {
    // It resolves before a provider has been asked, now and then.
    await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
    const ours = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith(shown('')));
    return ours.includes(shown('ctx_store')) && ours.map((name) => name.slice(shown('').length));
  });
};

/** Calls a tool through VS Code's own client; the text of its answer. */
export const call = async (tool: string, input: object): Promise<string> => {
  await listed();
  const answer = await vscode.lm.invokeTool(shown(tool), { input, toolInvocationToken: undefined });
  const part = (content: unknown): string => {
    assert(content instanceof vscode.LanguageModelTextPart, `${tool} answered with something else than text`);
    return content.value;
  };
  return answer.content.map(part).join('');
};

/** Writes a file into the folder that is open. */
export const writeFile = async (name: string, content: string | Uint8Array): Promise<vscode.Uri> => {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert(folder, 'no folder is open');
  const file = vscode.Uri.joinPath(folder.uri, name);
  await vscode.workspace.fs.writeFile(file, typeof content === 'string' ? Buffer.from(content) : content);
  return file;
};

/** Calls a tool as any MCP client can that has the token, also one that is not listed; the text of its answer. */
export const callDirectly = async (tool: string, input: Record<string, unknown>): Promise<string> => {
  const { url, headers } = await (await activated()).endpoint();
  const client = new Client({ name: 'in-host', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const options = { timeout: patience * 1000 };
  await client.connect(transport as Parameters<Client['connect']>[0], options);
  try {
    const { content } = await client.callTool({ name: tool, arguments: input }, undefined, options);
    return (content as { text: string }[]).map(({ text }) => text).join('');
  } finally {
    await client.close();
  }
};
