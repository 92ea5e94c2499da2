// `loom mcp` in a process of its own, which a test may kill.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

export type SpawnedLoom = {
  pid: number;
  ask: (name: string, args?: object) => Promise<string>;
  close: () => Promise<void>;
};

/** Its workspace is `folder`, and its drawer lies in it. */
export const spawnLoom = async (folder: string): Promise<SpawnedLoom> => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(import.meta.dirname, '../../src/cli.ts'), 'mcp'],
    cwd: folder,
    env: {
      ...(process.env as Record<string, string>),
      LOOM_DB: join(folder, 'drawer'),
      LOOM_KERNEL: 'plain',
      LOOM_LOG_LEVEL: 'ERROR',
      LOOM_MCP_TOOLSET: 'kernel',
    },
    stderr: 'inherit',
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const ask = async (name: string, args: object = {}): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: args as Record<string, unknown> });
    return (content as { text: string }[]).map(({ text }) => text).join('\n');
  };
  return { pid: transport.pid as number, ask, close: () => client.close() };
};
