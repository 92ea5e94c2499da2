import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { silentLog } from '#base/log.ts';
import { partLimit } from '#base/text.ts';
import { startEngine } from './engine.ts';
import { openGates } from './gates.ts';
import { startHttpHost } from './httpHost.ts';
import { startKernelHost } from './kernelHost.ts';

type Transport = Parameters<Client['connect']>[0];
type Door = { name: string; open: (folder: string) => Promise<{ client: Client; close: () => Promise<void> }> };

const connected = async (transport: unknown): Promise<Client> => {
  const client = new Client({ name: 'loom-check', version: '1' });
  // The SDK's transports have optional members that exactOptionalPropertyTypes does not accept as a Transport.
  await client.connect(transport as Transport);
  return client;
};

const stdio = (programs: string): Door => ({
  name: 'stdio',
  open: async (folder) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(programs, import.meta.filename.endsWith('.ts') ? 'cli.ts' : 'cli.cjs'), 'mcp'],
      cwd: folder,
      env: {
        ...(process.env as Record<string, string>),
        LOOM_DB: join(folder, 'drawer-stdio'),
        LOOM_LOG_LEVEL: 'WARN',
      },
      stderr: 'inherit',
    });
    const client = await connected(transport);
    return { client, close: () => client.close() };
  },
});

const http = (programs: string): Door => ({
  name: 'http',
  open: async (folder) => {
    const drawer = join(folder, 'drawer-http');
    const engine = startEngine(programs, { folder: drawer, version: 'check' }, silentLog);
    const kernel = startKernelHost({ programs, drawer, store: engine.call, log: silentLog });
    const host = await startHttpHost({
      engine: engine.call,
      log: silentLog,
      gates: openGates({ log: silentLog }),
      version: 'check',
      toolset: () => 'core',
      client: 'loom-check',
      root: () => folder,
      readableFolders: () => [folder],
      kernel: kernel.call,
      kernelChoice: async () => ({ backend: 'auto', cwd: folder }),
      trusted: () => true,
    });
    const refused = await fetch(host.url, { method: 'POST', body: '{}' });
    if (refused.status !== 404) throw new Error(`a request without the token was answered with ${refused.status}`);
    const client = await connected(
      new StreamableHTTPClientTransport(new URL(host.url), { requestInit: { headers: host.headers } }),
    );
    const close = async (): Promise<void> => {
      await client.close();
      host.dispose();
      await kernel.close();
      await engine.close();
    };
    return { client, close };
  },
});

/** Text with everything that tools of this kind have lost: CR LF, NUL, a BOM, no last line end, several scripts. */
const sample = (): string => {
  const lines = Array.from({ length: 4_000 }, (_, n) => `2026-11-29 12:00:00.${n} INFO worker ${n % 7} did step ${n}`);
  lines[2_718] = `needle ${randomBytes(6).toString('hex')} データ NUL:\0 end`;
  return `\ufeff${lines.join('\r\n')}`;
};

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

type Verdicts = { pass: (what: string) => void; expect: (what: string, ok: boolean, seen: unknown) => void };

const parts = async (client: Client, name: string, args: Record<string, unknown>): Promise<string[]> => {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text: string }[]).map(({ text }) => text);
};

/** Pages through a document and puts the pages together again. */
const wholeText = async (client: Client, id: string): Promise<{ text: string; longest: number }> => {
  let text = '';
  let longest = 0;
  for (let cursor: string | undefined, more = true; more;) {
    const [page = ''] = await parts(client, 'ctx_get', cursor === undefined ? { id } : { id, cursor });
    longest = Math.max(longest, page.length);
    text += page.slice(page.indexOf('\n') + 1);
    cursor = /next cursor: (\S+)/.exec(page.slice(0, page.indexOf('\n')))?.[1];
    more = cursor !== undefined;
  }
  return { text, longest };
};

const play = async (client: Client, folder: string, { pass, expect }: Verdicts): Promise<void> => {
  const { tools } = await client.listTools();
  pass(`lists ${tools.map(({ name }) => name).join(', ')}`);
  const text = sample();
  writeFileSync(join(folder, 'sample.log'), text);
  const [anchor = ''] = await parts(client, 'ctx_store_file', { path: 'sample.log' });
  const id = /\bd\d+\b/.exec(anchor)?.[0] ?? '';
  expect('stores a file and answers with an anchor', id !== '' && anchor.length < partLimit, anchor.slice(0, 200));
  const { text: back, longest } = await wholeText(client, id);
  expect(
    'gives every byte back (SHA-256)',
    sha256(back) === sha256(text),
    `${back.length} of ${text.length} characters`,
  );
  expect(`no part over ${partLimit} characters`, longest <= partLimit, longest);
  const needle = /needle \w+/.exec(text)?.[0] ?? '';
  const [hit = ''] = await parts(client, 'ctx_search', { query: needle });
  expect('finds a line in the middle', hit.includes(needle) && hit.includes('2719'), hit.slice(0, 200));
  const [wrong = ''] = await parts(client, 'ctx_get', { doc: id });
  expect('explains a wrong argument', wrong.includes('did you mean "id"') || wrong.includes('example:'), wrong);
  const [unknown = ''] = await parts(client, 'ctx_get', { id: 'd999999' });
  expect('explains an unknown id', unknown.startsWith('Error NOT_FOUND'), unknown);
  await parts(client, 'run_python', { code: 'kept = 6', timeout_seconds: 60 });
  const [cell = ''] = await parts(client, 'run_python', { code: 'print(kept * 7)', timeout_seconds: 60 });
  expect('runs cells in a Python that remembers', /^In \[2\] completed, .*\n42$/.test(cell), cell);
  const [output = ''] = await parts(client, 'read_python_output', { execution: 2 });
  expect('reads the output of a cell again', output.endsWith('\n42'), output);
};

/**
 * Plays the client on every door with a drawer of its own in a temporary folder, and says of each check how it went.
 * Answers the exit code: 0 where all passed.
 */
export const runCheck = async (programs: string, say: (line: string) => void): Promise<number> => {
  let passed = 0;
  let failed = 0;
  for (const door of [stdio(programs), http(programs)]) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loom-check-')));
    const pass = (what: string): void => {
      passed++;
      say(`ok      ${door.name}: ${what}`);
    };
    const fail = (what: string, seen: unknown): void => {
      failed++;
      say(`FAILED  ${door.name}: ${what}; saw: ${String(seen)}`);
    };
    try {
      const { client, close } = await door.open(folder);
      pass('connects');
      await play(client, folder, { pass, expect: (what, ok, seen) => (ok ? pass(what) : fail(what, seen)) });
      await close();
      pass('closes');
    } catch (error) {
      fail('runs to the end', error);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  say(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
};
