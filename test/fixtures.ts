// What tests stand on: folders of their own, Loom assembled over them, and clients on any of its doors.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { assemble, rosters, settingTable, tools, type AssembleOptions } from '#assemble.ts';
import { lineLog, type Log } from '#base/log.ts';
import type { Services, Workspace } from '#base/room.ts';
import { readFrom, type Snapshot } from '#base/settings.ts';
import { readEnvironment } from '#cli/environment.ts';
import { unfenced } from '#drawer/tools/fenced.ts';
import type { KernelChoice } from '#kernel/types.ts';
import { fileOf } from '#host/programs.ts';
import { openGuards, type GuardsOptions } from '#mcp/call/guards.ts';
import { startServe, type Served, type ServeOptions } from '#mcp/http/serve.ts';
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
  /** All text of an answer, as VS Code makes one of its parts. */
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
  const ask: TestClient['ask'] = async (name, args, options) => (await parts(name, args, options)).join('');
  const bytes = async (id: string): Promise<Buffer> => {
    const pages: Buffer[] = [];
    for (let cursor: string | undefined, more = true; more;) {
      const page = await ask('ctx_get', cursor === undefined ? { id } : { id, cursor });
      const { header, text, cursor: next } = unfenced(page);
      pages.push(Buffer.from(text, header.includes('| base64 |') ? 'base64' : 'utf8'));
      cursor = next;
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

/** A client of `loom mcp`, bundled or from the sources, which works in `folder`. */
export const clientOfProgram = async (folder: string, env: Record<string, string>, programs = bundles) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileOf(programs, 'cli'), 'mcp'],
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
export type Connect = Partial<Omit<ServerOptions, 'house' | 'toolset'>> &
  Guarded & { trusted?: () => boolean; log?: Log; services?: Partial<Services> };

/** The real service but for some methods. */
export const serviceWith = <T extends object>(service: T, methods: Partial<T>): T =>
  Object.assign(Object.create(service) as T, methods);

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
    const { rate, auditFolder, deadline, trusted: trusts = trusted, services, log: heard = log, ...rest } = connection;
    const guards = openGuards({ log: heard, rate, auditFolder, ...(deadline !== undefined && { deadline }) });
    const all = { ...loom.house.services, workspace: { ...own, trusted: trusts }, ...services };
    const client = await clientOf({
      house: { ...loom.house, guards, services: all, log: heard },
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
  /** `loom serve`'s host over it. */
  const serve = async (more: Pick<ServeOptions, 'authMode'> & Partial<ServeOptions>): Promise<Served> => {
    const served = await startServe({
      house: loom.house,
      routes: loom.routes,
      version: '1',
      toolset: () => 'drawer',
      client: undefined,
      host: '127.0.0.1',
      port: 0,
      token: undefined,
      readonlyToken: undefined,
      allowInsecure: false,
      ...more,
    });
    ends.push(async () => served.dispose());
    return served;
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
  return { workspace, drawer, ...loom, services: loom.house.services, connect, host, serve, set, end, close };
};
export type TestLoom = ReturnType<typeof openLoom>;

/** The doors that clients come in by: `loom mcp` in a process of its own, and the window's HTTP host in this one. */
export const doors = ['stdio', 'http'] as const;
export type Door = (typeof doors)[number];

type OpenDoor = {
  toolset?: Toolset;
  /** Another client's drawer, which is then shared, and stays. */
  drawer?: string;
  /** The environment of `loom mcp`; over HTTP the settings that it stands for. */
  env?: Record<string, string>;
};

/** A client of Loom's bundles on a door of them, with a workspace and a drawer of its own. */
export const openDoor = async (door: Door, options: OpenDoor = {}) => {
  const { toolset = 'core', env = {} } = options;
  const workspace = scratch();
  const drawer = options.drawer ?? scratch();
  const open = async () => {
    if (door === 'stdio') {
      const client = await clientOfProgram(workspace, { LOOM_DB: drawer, LOOM_MCP_TOOLSET: toolset, ...env });
      return { client, pid: client.pid, end: client.close };
    }
    const settings = {
      ...readEnvironment({ LOOM_RATE_LIMIT: '0', ...env }, testLog.warn)(settingTable),
      'archive.enabled': true,
    };
    const loom = openLoom({ programs: bundles, workspace, drawer, settings });
    const host = await loom.host(toolset);
    const client = await clientOfHost(host);
    const end = async (): Promise<void> => {
      await client.close();
      await loom.end();
    };
    return { client, loom, host, end };
  };
  const { client, end, ...more } = await open();
  const close = async (): Promise<void> => {
    await end();
    remove(...(options.drawer === undefined ? [workspace, drawer] : [workspace]));
  };
  return { workspace, drawer, ...client, pid: undefined, ...more, end, close };
};
export type OpenedDoor = Awaited<ReturnType<typeof openDoor>>;

export type Ran = { code: number; out: string; notes: string };

/** One command line of `loom` from the sources, in a process of its own, on the drawer in `folder`. */
export const runLoom = async (
  folder: string,
  words: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<Ran> => {
  const program = spawn(process.execPath, [join(sources, 'cli.ts'), ...words], {
    env: { ...process.env, LOOM_DB: folder, ...env },
    cwd: tmpdir(),
  });
  program.stdin.end(input);
  const [out, notes, [code]] = await Promise.all([
    buffer(program.stdout),
    buffer(program.stderr),
    once(program, 'close') as Promise<[number]>,
  ]);
  return { code, out: out.toString(), notes: notes.toString() };
};
