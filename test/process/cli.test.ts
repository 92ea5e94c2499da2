import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { runCheck } from '#cli/selfCheck.ts';
import { runCommandLine } from '#cli/run.ts';
import { verbs } from '#cli/verbs.ts';
import { readEnvironment } from '#cli/environment.ts';
import { begin } from '#cli/begin.ts';
import type { Loom } from '#assemble.ts';
import { bundles as programs, openDoor, root } from '../fixtures.ts';

let folder: string;
let opened: Loom;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loom-cli-'));
  opened = begin(
    programs,
    readEnvironment(environment(), () => undefined),
    folder,
    silentLog,
  );
});
afterAll(async () => {
  await opened.close();
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

const environment = () => ({ LOOM_DB: join(folder, 'drawer'), HOME: folder, LOOM_TOKEN: 'never-shown-anywhere' });

type Ran = { code: number; out: Buffer; text: string; notes: string };

const loom = async (line: string | string[], input: Uint8Array = Buffer.alloc(0)): Promise<Ran> => {
  const out: Uint8Array[] = [];
  const notes: string[] = [];
  const code = await runCommandLine(typeof line === 'string' ? line.split(' ') : line, {
    services: {
      ...opened.house.services,
      program: {
        programs,
        env: environment(),
        folder: join(folder, 'drawer'),
        version: 'test',
        house: opened.house,
        routes: opened.routes,
      },
    },
    print: (text) => out.push(Buffer.from(`${text}\n`)),
    write: (bytes) => out.push(Buffer.from(bytes)),
    note: (text) => notes.push(text),
    input: () => Readable.from([input]),
    interruption: () => new AbortController().signal,
  });
  const all = Buffer.concat(out);
  return { code, out: all, text: all.toString(), notes: notes.join('\n') };
};

describe('a drawer by hand', () => {
  const text = Array.from({ length: 4_000 }, (_, n) => `line ${n + 1} says ${n * 7919}\r\n`).join('');
  const bytes = Buffer.concat([Buffer.from('\ufeff'), Buffer.from(text), Buffer.from([0, 0xff, 0xfe])]);
  let file: string;
  beforeAll(() => {
    file = join(folder, 'in.log');
    writeFileSync(file, bytes);
  });

  test('stores files and stdin, and writes the very bytes', async () => {
    expect((await loom(['store', file])).text).toMatch(/^d1\tin\.log: \w+, [\d,]+ bytes, /);
    expect((await loom('get d1')).out.equals(bytes)).toBe(true);
    const piped = await loom(['store', '--title', 'npm test', '--json'], Buffer.from('tiny\n'));
    expect(JSON.parse(piped.text)).toMatchObject([{ id: 'd2', title: 'npm test', bytes: 5 }]);
    expect((await loom('get d2')).text).toBe('tiny\n');
    expect((await loom('store --title again', Buffer.from('tiny\n'))).text).toContain('d2\tnpm test');
  });

  test('gives ranges and chunks exactly', async () => {
    const lines = text.split('\r\n');
    const range = await loom('get d1 --lines 120-122');
    expect(range.text).toBe(`${lines.slice(119, 122).join('\r\n')}\r\n`);
    expect((await loom(`get d1 --bytes 0-${bytes.length - 1}`)).out.equals(bytes)).toBe(true);
    const chunk = await loom('get d1.2');
    expect(bytes.includes(chunk.out)).toBe(true);
    expect(chunk.out.length).toBeGreaterThan(100);
  });

  test('finds lines with their numbers, and says where there are none', async () => {
    const { text: found, code } = await loom('search 23764919');
    expect(code).toBe(0);
    expect(found).toMatch(/^d1 in\.log, lines \d+-\d+$/m);
    expect(found).toMatch(/^ +3002: line 3002 says 23764919/m);
    const none = await loom('search qqxqqzv');
    expect([none.code, none.text, none.notes]).toEqual([1, '', 'Nothing found in 2 documents.']);
    const [hit] = (JSON.parse((await loom('search 23764919 --json')).text) as { passages: object[] }).passages;
    expect(hit).toMatchObject({ doc: 'd1', hits: [3002] });
  });

  test('sessions are listed and purged, and only on confirmation', async () => {
    const [session] = JSON.parse((await loom('sessions --json')).text) as { id: string }[];
    expect((await loom('sessions')).text).toMatch(/^session +client +documents +size/);
    const id = session?.id ?? '';
    expect((await loom(['store', '--session', id, file])).text).toContain('was there already');
    const dry = await loom(['purge', '--session', id]);
    expect(dry.text).toMatch(/^Nothing was purged yet\. This would go, for good: 1 session with 2 documents: d1, d2\./);
    expect(dry.text).toContain(`loom purge --session ${id} --confirm`);
    expect((await loom('get d1')).code).toBe(0);
    expect((await loom(['purge', '--session', id, '--confirm'])).text).toMatch(/^Purged 1 session with 2 documents/);
    const gone = await loom('get d1');
    expect([gone.code, gone.text]).toEqual([1, '']);
    expect(gone.notes).toMatch(/^loom: NOT_FOUND: d1 /);
    expect((await loom('purge --expired')).text).toMatch(/^Nothing to purge/);
  });

  test('what looks after the drawer answers, as JSON too', async () => {
    expect((await loom('health')).text).toMatch(/^drawer: open/);
    for (const command of ['health', 'stats', 'vacuum', 'doctor'])
      expect(typeof JSON.parse((await loom(`${command} --json`)).text)).toBe('object');
    const file = join(folder, 'out.sqlite');
    expect((await loom(['export', file])).code).toBe(0);
    expect(readFileSync(file, 'latin1').slice(0, 15)).toBe('SQLite format 3');
    expect((await loom('unlock')).notes).toMatch(/^loom: INVALID_ARGUMENTS: /);
  });

  test('a client is shown and installed, without secrets', async () => {
    const shown = await loom('client --target cursor');
    expect(JSON.parse(shown.text)).toMatchObject({ mcpServers: { loom: { command: process.execPath } } });
    for (const { text: out, notes } of [
      shown,
      await loom('client -t codex'),
      await loom('client -t copilot-cli'),
      await loom('client -t vscode --json'),
    ])
      expect(out + notes).not.toContain('never-shown-anywhere');
  });
});

describe('the command line', () => {
  test.each([
    ['serch x', 'loom: There is no command "serch". Did you mean search?'],
    ['search', 'loom: WORDS… is missing.\nusage: loom search WORDS… [options]\nloom search --help says more.'],
    ['get d1 d2', 'loom: "d2" is one word too many.'],
    ['health --jsn', "Unknown option '--jsn'"],
    ['purge', 'Give either --expired or --session ID.'],
    ['purge --expired --session x', 'Give either'],
    ['get d1 --lines a-b', '--lines: "a-b" is no range'],
    ['client', '--target is missing; it is one of claude-code, '],
    ['client -t emacs', '"emacs" is no client'],
    [
      'client -t claude',
      'Which claude? Claude Code (--target claude-code) or Claude Desktop (--target claude-desktop).',
    ],
    ['export-actions -f xml', '--format xml is none of json, cedar.'],
    ['serve --port 70000', '--port 70000 is not a number from 0 to 65535.'],
    ['search x --limit none', '--limit none is no number above 0.'],
    ['help nothing', 'There is no command "nothing"'],
  ])('%s: exit code 2 and what to do', async (line, words) => {
    const { code, text, notes } = await loom(line);
    expect([code, text]).toEqual([2, '']);
    expect(notes).toContain(words);
  });

  test('a fault of the world is exit code 1, with its code and the way out', async () => {
    const { code, notes } = await loom(['store', join(folder, 'nope')]);
    expect(code).toBe(1);
    expect(notes).toMatch(/^loom: FILE_UNREADABLE: .*\(ENOENT\)\. Check the path\.$/);
  });

  test('every command says what it does, and the program names them all', async () => {
    const whole = (await loom('--help')).text;
    for (const { name, summary, options = {} } of verbs) {
      expect(whole).toContain(summary);
      const { code, text } = await loom([...name.split(' '), '--help']);
      expect(code).toBe(0);
      expect(text).toMatch(new RegExp(`^loom ${name}`));
      for (const option of Object.keys(options)) expect(text).toContain(`--${option}`);
      expect((await loom(['help', ...name.split(' ')])).text).toBe(text);
    }
  });

  test('the program itself: its exit codes, and a value that it does not understand', () => {
    const cli = (args: string[], env = {}) =>
      spawnSync(process.execPath, [join(programs, 'cli.cjs'), ...args], {
        encoding: 'utf8',
        env: { ...process.env, LOOM_DB: join(folder, 'other'), ...env },
      });
    const { status, stderr, stdout } = cli(['store', '--json', join(root, 'LICENSE')], { LOOM_RPM: 'x' });
    expect(status).toBe(0);
    expect(stderr).toBe('loom: LOOM_RPM=x is not a number above 0; the default holds (600).\n');
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'd1' }]);
    expect(cli(['get', 'd1']).stdout).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    expect([cli([]).status, cli(['get', 'd9']).status, cli(['--version']).status]).toEqual([2, 1, 0]);
  });
});

describe('loom serve', () => {
  const started = async (args: string[], env: Record<string, string>) => {
    const child = spawn(process.execPath, [join(programs, 'cli.cjs'), 'serve', ...args], {
      cwd: folder,
      env: { ...process.env, LOOM_DB: join(folder, 'serve'), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said: string[] = [];
    const exited = once(child, 'exit') as Promise<[number | null]>;
    const listening = new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        said.push(line);
        if (line.startsWith('The token') || line.includes('=open')) resolve();
      });
      exited.then(() => resolve(), reject);
    });
    await listening;
    return { child, said, exited, url: /http:\S+/.exec(said[0] ?? '')?.[0] ?? '' };
  };

  test('makes a token, shows it once, serves those who send it, ends in order', async () => {
    const { child, said, exited, url } = await started(['--port', '0'], {});
    const token = /shown once: (\S+)$/.exec(said[1] ?? '')?.[1] ?? '';
    expect(token).toHaveLength(43);
    const post = (headers: Record<string, string>, at = url) =>
      fetch(at, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });
    const none = await post({}, `${url}?token=${token}`);
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="loom"']);
    const wrong = await post({ authorization: 'Bearer wrong' });
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="loom", error="invalid_token"');
    const authorization = `Bearer ${token}`;
    const old = await post({ authorization, 'mcp-protocol-version': '1999-01-01' });
    expect(old.status).toBe(400);
    expect(await old.json()).toMatchObject({
      error: {
        code: -32022,
        data: { supported: ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', expect.anything()] },
      },
    });
    const transport = new StreamableHTTPClientTransport(new URL(`${url}?toolset=drawer`), {
      requestInit: { headers: { authorization } },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('ctx_vacuum');
    await client.callTool({ name: 'ctx_health', arguments: {} });
    const session = transport.sessionId ?? '';
    await transport.terminateSession();
    const ended = await post({
      authorization,
      'mcp-session-id': session,
      accept: 'application/json, text/event-stream',
    });
    expect(ended.status).toBe(404);
    await client.close();
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(said.filter((line) => line.includes(token))).toHaveLength(1);
    const audit = join(folder, 'serve', 'audit');
    const verify = () =>
      spawnSync(process.execPath, [join(programs, 'cli.cjs'), 'audit', 'verify'], {
        encoding: 'utf8',
        env: { ...process.env, LOOM_DB: join(folder, 'serve') },
      });
    expect(verify()).toMatchObject({ status: 0, stdout: '1 call in 1 file: 0 faults.\n' });
    const [name = ''] = readdirSync(audit);
    writeFileSync(join(audit, name), readFileSync(join(audit, name), 'utf8').replace('ctx_health', 'ctx_vacuum'));
    expect(verify()).toMatchObject({ status: 1, stdout: expect.stringContaining('this line was changed') as string });
  });

  test('open on an address that others reach is refused, unless a person insists', async () => {
    const refused = await started(['--host', '0.0.0.0', '--port', '0'], { LOOM_MCP_AUTH_MODE: 'open' });
    expect((await refused.exited)[0]).toBe(1);
    expect(refused.said.join('\n')).toMatch(/^loom: INSECURE_HOST: 0\.0\.0\.0 is reached by other machines/);
    const env = { LOOM_MCP_AUTH_MODE: 'open', LOOM_ALLOW_INSECURE: '1' };
    const { child, exited, url } = await started(['--host', '0.0.0.0', '--port', '0'], env);
    expect(url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/mcp$/);
    child.kill('SIGINT');
    expect((await exited)[0]).toBe(0);
  });

  test('a port that is taken is named', async () => {
    const first = await started(['--port', '0'], {});
    const second = await started(['--port', new URL(first.url).port], {});
    expect((await second.exited)[0]).toBe(1);
    expect(second.said.join('\n')).toMatch(/^loom: LISTEN_FAILED: .*EADDRINUSE/);
    first.child.kill();
    await first.exited;
  });
});

test('neither the passphrase nor the token reaches an agent’s Python', async () => {
  const secrets = { LOOM_DB_PASSWORD: 'passphrase-of-a-person', LOOM_TOKEN: 'token-of-a-person-0123', LOOM_RPM: '601' };
  const door = await openDoor('stdio', { env: secrets });
  const code =
    "import os; print(sorted(v for k, v in os.environ.items() if k in ('LOOM_DB_PASSWORD', 'LOOM_TOKEN', 'LOOM_RPM')))";
  expect(await door.ask('run_python', { code, timeout_seconds: 60 })).toMatch(/\n\['601'\]$/);
  await door.close();
});

test('the check passes on every door, and can be called off', async () => {
  const verdicts = await runCheck({ programs });
  expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
  expect(new Set(verdicts.map(({ door }) => door))).toEqual(new Set(['stdio', 'window', 'serve']));
  const controller = new AbortController();
  const told: string[] = [];
  const off = await runCheck({
    programs,
    signal: controller.signal,
    onVerdict: ({ what }) => {
      told.push(what);
      controller.abort();
    },
  });
  expect(off.some(({ ok }) => !ok)).toBe(true);
  expect(told).toHaveLength(off.length);
});
