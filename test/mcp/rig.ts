import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { lineLog } from '#base/log.ts';
import type { Toolset } from '#mcp/defineTool.ts';
import { startEngine } from '#host/engine.ts';
import { openGates, type GatesOptions } from '#mcp/call/guards.ts';
import { startKernelHost } from '#host/kernels.ts';
import { createServer, type ServerOptions } from '#mcp/server.ts';

const sources = join(import.meta.dirname, '../../src');
const log = lineLog((line) => process.stderr.write(line), 'ERROR');

export type Answer = {
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};

export type Connection = {
  client: Client;
  call: (name: string, args?: unknown, options?: Parameters<Client['callTool']>[2]) => Promise<Answer>;
  /** All text of an answer. */
  ask: (name: string, args?: unknown) => Promise<string>;
};

type Open = Partial<
  Pick<ServerOptions, 'schemaProfile' | 'trusted' | 'engine' | 'kernel' | 'log' | 'client' | 'onListingChange'>
> &
  Partial<Omit<GatesOptions, 'log'>>;

/** Loom from the sources, in a workspace and with a drawer of its own; clients reach it through the protocol, in memory. */
export const openLoom = async () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'loom-ws-')));
  const drawer = join(workspace, '.drawer');
  const engine = startEngine(sources, { folder: drawer, version: 'test' }, log);
  const kernel = startKernelHost({ programs: sources, drawer, store: engine.call, log });
  const ends: (() => Promise<void>)[] = [];
  const connect = async (toolset: Toolset = 'core', options: Open = {}): Promise<Connection> => {
    const { rate, auditFolder, deadline, ...rest } = options;
    const gates = openGates({ log, rate, auditFolder, ...(deadline !== undefined && { deadline }) });
    const server = createServer({
      engine: engine.call,
      log,
      gates,
      version: '1',
      toolset: () => toolset,
      mcpSession: randomUUID(),
      client: 'test',
      root: () => workspace,
      readableFolders: () => [workspace],
      kernel: kernel.call,
      kernelChoice: async () => ({ backend: 'auto', cwd: workspace }),
      trusted: () => true,
      ...rest,
    });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    await Promise.all([server.connect(theirs), client.connect(ours)]);
    ends.push(async () => {
      await client.close();
      await gates.close();
    });
    const call: Connection['call'] = async (name, args = {}, more) =>
      (await client.callTool({ name, arguments: args as Record<string, unknown> }, undefined, more)) as Answer;
    const ask = async (name: string, args?: unknown): Promise<string> =>
      (await call(name, args)).content.map(({ text }) => text ?? '').join('\n');
    return { client, call, ask };
  };
  const close = async (): Promise<void> => {
    for (const end of ends) await end();
    await kernel.close();
    await engine.close();
    rmSync(workspace, { recursive: true, force: true });
  };
  return { workspace, drawer, engine: engine.call, kernel: kernel.call, connect, close };
};
