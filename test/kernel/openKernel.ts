import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { lineLog } from '#base/log.ts';

import type { ExecutionRow, KernelChoice } from '#kernel/types.ts';
import { startEngine } from '#host/engine.ts';
import { openGates } from '#mcp/call/guards.ts';
import { startKernelHost, type StartKernelHost } from '#host/kernels.ts';
import { createServer } from '#mcp/server.ts';

const sources = join(import.meta.dirname, '../../src');
const log = lineLog((line) => process.stderr.write(line), 'ERROR');

export type Content = { type: string; text?: string; data?: string; mimeType?: string };
export type CallOptions = { signal?: AbortSignal };

/** A client of the kernel's tools over MCP, with a workspace and a drawer of its own. */
export type Python = {
  workspace: string;
  drawer: string;
  client: Client;
  call: (name: string, args?: object, options?: CallOptions) => Promise<{ content: Content[]; isError?: boolean }>;
  /** All text of an answer. */
  ask: (name: string, args?: object, options?: CallOptions) => Promise<string>;
  /** The whole text of a stream, as the kernel's own service gives it. */
  whole: (execution?: number) => Promise<string>;
  /** Cells as the panel lists them, the latest first. */
  list: () => Promise<ExecutionRow[]>;
  /** The text of a cell's answer. */
  run: (code: string, args?: object) => Promise<string>;
  /** The same client after its window was closed and opened again. */
  reload: () => Promise<void>;
  close: () => Promise<void>;
};

export type OpenKernel = Partial<KernelChoice> & {
  limits?: Pick<StartKernelHost, 'executionBytes' | 'folderBytes'>;
  trusted?: () => boolean;
};

export const openKernel = async ({ limits, trusted = () => true, ...choice }: OpenKernel = {}): Promise<Python> => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'loom-ws-')));
  const drawer = mkdtempSync(join(tmpdir(), 'loom-drawer-'));
  const open = async () => {
    const engine = startEngine(sources, { folder: drawer, version: 'test' }, log);
    const kernel = startKernelHost({ programs: sources, drawer, store: engine.call, log, ...limits });
    const server = createServer({
      engine: engine.call,
      log,
      gates: openGates({ log }),
      version: '1',
      toolset: () => 'kernel',
      mcpSession: randomUUID(),
      client: 'test',
      root: () => workspace,
      readableFolders: () => [workspace],
      kernel: kernel.call,
      kernelChoice: async () => ({ backend: 'auto', cwd: workspace, ...choice }),
      trusted,
    });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    await Promise.all([server.connect(theirs), client.connect(ours)]);
    const close = async (): Promise<void> => {
      await client.close();
      await kernel.close();
      await engine.close();
    };
    const session = (): Promise<string> => engine.call.session({ client: 'test', root: workspace });
    const list = async () => (await engine.call.executions({ offset: 0, limit: 100 })).rows;
    return { client, kernel: kernel.call, session, list, close };
  };
  let now = await open();
  const python: Python = {
    workspace,
    drawer,
    client: now.client,
    call: async (name, args = {}, options = {}) =>
      (await now.client.callTool({ name, arguments: args as Record<string, unknown> }, undefined, {
        timeout: 300_000,
        ...options,
      })) as { content: Content[]; isError?: boolean },
    ask: async (name, args, options) => {
      const { content } = await python.call(name, args, options);
      return content.flatMap(({ text }) => text ?? []).join('\n');
    },
    whole: async (execution) => {
      const args = { session: await now.session(), execution, stream: 'combined' as const, units: 2 ** 28 };
      return (await now.kernel.readOutput(args)).text;
    },
    list: () => now.list(),
    // A busy machine is no fault of a cell.
    run: (code, args) => python.ask('run_python', { code, timeout_seconds: 60, ...args }),
    reload: async () => {
      await now.close();
      now = await open();
      python.client = now.client;
    },
    close: async () => {
      await now.close();
      for (const folder of [workspace, drawer]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return python;
};
