// What tests stand on: folders of their own, Loom assembled over them, and clients on any of its doors.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { assemble, rosters, tools, type AssembleOptions } from '#assemble.ts';
import { lineLog } from '#base/log.ts';
import type { Workspace } from '#base/room.ts';
import { readFrom, type Snapshot } from '#base/settings.ts';
import type { KernelChoice } from '#kernel/types.ts';
import { openGuards, type GuardsOptions } from '#mcp/call/guards.ts';
import { startHttpHost, type HttpHost, type HttpHostOptions } from '#mcp/http/windowHost.ts';
import { listingOf, type Listing } from '#mcp/listing/listing.ts';
import { toolsetNamed, type Toolset } from '#mcp/listing/toolsets.ts';
import { createServer, type ServerOptions } from '#mcp/server.ts';

export const root = join(import.meta.dirname, '..');
/** The folders of Loom's programs: as they are written, and as they are bundled. */
export const sources = join(root, 'src');
export const bundles = join(root, 'dist');
/** What goes wrong beside a test is seen. */
export const testLog = lineLog((line) => process.stderr.write(line), 'ERROR');

/** A new folder; its path has no links in it. */
export const scratch = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'loom-test-')));
export const remove = (...folders: string[]): void => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};

/** What a connection of such a toolset lists. */
export const listingFor = (toolset: Toolset, more?: Partial<Omit<Listing, 'tools' | 'toolset'>>): Listing =>
  listingOf(tools, toolsetNamed(rosters, toolset, 'nothing'), more);

/** The id in an anchor's first line. */
export const idOf = (anchor: string): string => /\bd\d+\b/.exec(anchor.split('\n')[0] ?? '')?.[0] ?? '';

export type Content = { type: string; text?: string; data?: string; mimeType?: string };
export type Answer = { content: Content[]; structuredContent?: Record<string, unknown>; isError?: boolean };
export type CallOptions = Parameters<Client['callTool']>[2];

/** An MCP client that is connected. */
export type TestClient = {
  client: Client;
  call: (name: string, args?: unknown, options?: CallOptions) => Promise<Answer>;
  /** The text parts of an answer. */
  parts: (name: string, args?: unknown, options?: CallOptions) => Promise<string[]>;
  /** All text of an answer. */
  ask: (name: string, args?: unknown, options?: CallOptions) => Promise<string>;
  /** The bytes of a document, page by page. */
  bytes: (id: string) => Promise<Buffer>;
  close: () => Promise<void>;
};

type Transport = Parameters<Client['connect']>[0];
// A busy machine is no fault of a call.
const patience = 300_000;

export const clientOver = async (transport: object): Promise<TestClient> => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Transport);
  const call: TestClient['call'] = async (name, args = {}, options = {}) =>
    (await client.callTool({ name, arguments: args as Record<string, unknown> }, undefined, {
      timeout: patience,
      ...options,
    })) as Answer;
  const parts: TestClient['parts'] = async (name, args, options) =>
    (await call(name, args, options)).content.flatMap(({ text }) => text ?? []);
  const ask: TestClient['ask'] = async (name, args, options) => (await parts(name, args, options)).join('\n');
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
  return { client, call, parts, ask, bytes, close: () => client.close() };
};

/** A client of a server in this process, without a door between them. */
export const clientOf = async (options: ServerOptions): Promise<TestClient> => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = createServer(options);
  await server.connect(theirs);
  return clientOver(ours);
};

/** A client of a host of the window's kind. */
export const clientOfHost = ({ url, headers }: HttpHost): Promise<TestClient> =>
  clientOver(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

/** A client of `loom mcp`, which works in `folder`. */
export const clientOfProgram = async (folder: string, env: Record<string, string>) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(bundles, 'cli.cjs'), 'mcp'],
    cwd: folder,
    env: { ...(process.env as Record<string, string>), LOOM_LOG_LEVEL: 'WARN', LOOM_RATE_LIMIT: '0', ...env },
    stderr: 'inherit',
  });
  return { ...(await clientOver(transport)), pid: transport.pid };
};

export type OpenLoom = Partial<Pick<AssembleOptions, 'programs' | 'log' | 'replace' | 'keys'>> & {
  /** A folder that is there already, and stays. */
  workspace?: string;
  drawer?: string;
  settings?: Snapshot;
  trusted?: () => boolean;
  /** What starts kernels; the machine's own choice where it says nothing. */
  interpreter?: Partial<KernelChoice>;
};

type Guarded = Partial<Omit<GuardsOptions, 'log'>>;
export type Connect = Partial<Omit<ServerOptions, 'house' | 'toolset'>> & Guarded & { trusted?: () => boolean };

/** Loom over a workspace and a drawer of its own, from the sources unless `programs` says otherwise. */
export const openLoom = (options: OpenLoom = {}) => {
  const { programs = sources, log = testLog, trusted = () => true, interpreter = {}, replace, keys } = options;
  const workspace = options.workspace ?? scratch();
  const drawer = options.drawer ?? scratch();
  let values = options.settings ?? {};
  const listeners = new Set<() => void>();
  const own: Workspace = {
    root: () => workspace,
    readable: () => [workspace],
    writable: () => workspace,
    trusted,
  };
  const loom = assemble({
    programs,
    folder: drawer,
    version: 'test',
    log,
    settings: readFrom(() => ({ 'rate.limited': false, ...values })),
    onSettings: (listener) => {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    services: { workspace: own, interpreter: async () => ({ backend: 'auto', cwd: workspace, ...interpreter }) },
    guards: { auditFolder: undefined },
    ...(replace && { replace }),
    ...(keys && { keys }),
  });
  const ends: (() => Promise<void>)[] = [];
  /** A client in memory, with guards of its own where it asks for some. */
  const connect = async (toolset: Toolset = 'core', connection: Connect = {}): Promise<TestClient> => {
    const { rate, auditFolder, deadline, trusted: trusts, ...rest } = connection;
    const guards = openGuards({ log, rate, auditFolder, ...(deadline !== undefined && { deadline }) });
    const services = trusts ? { ...loom.house.services, workspace: { ...own, trusted: trusts } } : loom.house.services;
    const client = await clientOf({
      house: { ...loom.house, guards, services },
      version: '1',
      toolset: () => toolset,
      mcpSession: randomUUID(),
      client: 'test',
      ...rest,
    });
    ends.push(client.close, guards.close);
    return client;
  };
  /** The window's HTTP host over it. */
  const host = async (toolset: Toolset = 'core', more: Partial<HttpHostOptions> = {}): Promise<HttpHost> => {
    const started = await startHttpHost({
      house: loom.house,
      routes: loom.routes,
      version: '1',
      toolset: () => toolset,
      client: 'vscode',
      ...more,
    });
    ends.push(async () => started.dispose());
    return started;
  };
  /** Ends it, as a window does; its folders stay. */
  const end = async (): Promise<void> => {
    for (const one of ends.splice(0)) await one();
    await loom.close();
  };
  const close = async (): Promise<void> => {
    await end();
    if (options.workspace === undefined) remove(workspace);
    if (options.drawer === undefined) remove(drawer);
  };
  const set = (more: Snapshot): void => {
    values = { ...values, ...more };
    for (const listener of listeners) listener();
  };
  return { workspace, drawer, ...loom, services: loom.house.services, connect, host, set, end, close };
};
export type TestLoom = ReturnType<typeof openLoom>;
