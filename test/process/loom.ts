import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { lineLog } from '#base/log.ts';
import type { Toolset } from '#mcp/defineTool.ts';
import { createArchive, defaultThreshold, openArchiveDoor, type ArchiveDoor } from '#archive/archive.ts';
import { startEngine } from '#host/engine.ts';
import { readEnvironment } from '#cli/environment.ts';
import { openGates } from '#mcp/call/guards.ts';
import { startHttpHost, type HttpHost } from '#mcp/http/windowHost.ts';
import { startKernelHost } from '#host/kernels.ts';

export const root = join(import.meta.dirname, '../..');
const log = lineLog((line) => process.stderr.write(line), 'WARN');

type Transport = Parameters<Client['connect']>[0];
type Connection = {
  client: Client;
  close: () => Promise<void>;
  host?: HttpHost;
  archive?: ArchiveDoor;
  pid?: number | null;
};

/** A connected client of one door, a workspace that its tools may read, and a drawer of its own. */
export type Loom = {
  workspace: string;
  /** The drawer's folder. */
  drawer: string;
  /** The text parts of an answer. */
  call: (name: string, args?: unknown) => Promise<string[]>;
  /** The one text part of an answer. */
  ask: (name: string, args?: unknown) => Promise<string>;
  /** The bytes of a document, page by page. */
  bytes: (id: string) => Promise<Buffer>;
  connection: Connection;
  /** The process behind it, where it has one of its own. */
  pid: number | null | undefined;
  close: () => Promise<void>;
};

type Options = {
  toolset?: Toolset;
  /** Another client's drawer, which is then shared. */
  drawer?: string;
  /** The environment of `loom mcp`; over HTTP the same is set by its settings. */
  env?: Record<string, string>;
};

const overStdio = async (
  workspace: string,
  drawer: string,
  { toolset = 'core', env = {} }: Options,
): Promise<Connection> => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'dist/cli.cjs'), 'mcp'],
    cwd: workspace,
    env: {
      ...(process.env as Record<string, string>),
      LOOM_DB: drawer,
      LOOM_LOG_LEVEL: 'WARN',
      LOOM_RATE_LIMIT: '0',
      LOOM_MCP_TOOLSET: toolset,
      ...env,
    },
    stderr: 'inherit',
  });
  await client.connect(transport as Transport);
  return { client, close: () => client.close(), pid: transport.pid };
};

const overHttp = async (
  workspace: string,
  drawer: string,
  { toolset = 'core', env = {} }: Options,
): Promise<Connection> => {
  const { policy, storeCmd } = readEnvironment(env, (line) => log.warn(line));
  const engine = startEngine(join(root, 'dist'), { folder: drawer, version: 'test', policy }, log);
  const kernel = startKernelHost({ programs: join(root, 'dist'), drawer, store: engine.call, log });
  const session = (): Promise<string> => engine.call.session({ client: 'vscode', root: workspace });
  const archive = openArchiveDoor(
    createArchive({ engine: engine.call, log, enabled: () => true, threshold: () => defaultThreshold, session }),
  );
  const host = await startHttpHost({
    engine: engine.call,
    routes: { [archive.path]: archive.route },
    log,
    gates: openGates({ log }),
    version: '1',
    toolset: () => toolset,
    client: 'vscode',
    root: () => workspace,
    readableFolders: () => [workspace],
    kernel: kernel.call,
    kernelChoice: async () => ({ backend: 'auto', cwd: workspace }),
    trusted: () => true,
    storeCmd: () => ({ enabled: storeCmd, workspace }),
  });
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(host.url), { requestInit: { headers: host.headers } });
  await client.connect(transport as Transport);
  const close = async (): Promise<void> => {
    await client.close();
    host.dispose();
    await kernel.close();
    await engine.close();
  };
  return { client, close, host, archive };
};

export const doors = { stdio: overStdio, http: overHttp } as const;

export const openLoom = async (door: keyof typeof doors, options: Options = {}): Promise<Loom> => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'loom-ws-')));
  const drawer = options.drawer ?? mkdtempSync(join(tmpdir(), 'loom-drawer-'));
  const connection = await doors[door](workspace, drawer, options);
  const call = async (name: string, args: unknown = {}): Promise<string[]> => {
    const answer = await connection.client.callTool({ name, arguments: args as Record<string, unknown> });
    return (answer.content as { text: string }[]).map(({ text }) => text);
  };
  const ask = async (name: string, args: unknown = {}): Promise<string> => {
    const parts = await call(name, args);
    if (parts.length !== 1) throw new Error(`${parts.length} parts: ${parts.join('\n---\n')}`);
    return parts[0] as string;
  };
  const bytes = async (id: string): Promise<Buffer> => {
    const pages: Buffer[] = [];
    for (let cursor: string | undefined, more = true; more;) {
      const page = await ask('ctx_get', cursor === undefined ? { id } : { id, cursor });
      const header = page.slice(0, page.indexOf('\n'));
      pages.push(Buffer.from(page.slice(header.length + 1), header.includes('| base64 |') ? 'base64' : 'utf8'));
      cursor = /next cursor: (\S+)/.exec(header)?.[1];
      more = cursor !== undefined;
    }
    return Buffer.concat(pages);
  };
  const close = async (): Promise<void> => {
    await connection.close();
    for (const folder of options.drawer ? [workspace] : [workspace, drawer])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return { workspace, drawer, call, ask, bytes, connection, pid: connection.pid, close };
};

/** The id in an anchor's first line. */
export const idOf = (anchor: string): string => /\bd\d+\b/.exec(anchor.split('\n')[0] ?? '')?.[0] ?? '';
