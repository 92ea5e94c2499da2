// Commands in a real sandbox, which the machine has to have: its absence is a failure that says what to install.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idOf, openDoor, type OpenedDoor } from '../fixtures.ts';
import { gone, processes, until } from './processes.ts';

let loom: OpenedDoor;
beforeAll(async () => {
  loom = await openDoor('stdio', { toolset: 'drawer', env: { LOOM_STORE_CMD: '1', GITHUB_TOKEN: 'not for commands' } });
});
afterAll(() => loom.close());

const run = (command: string, more: object = {}): Promise<string> => loom.ask('ctx_store_cmd', { command, ...more });

test('short output comes back as it is, under exit code and time', async () => {
  expect(await run("printf 'rg\\n'; printf '/opt/x/ast-grep\\n'")).toMatch(
    /^exit code 0; \d\.\d s\nrg\n\/opt\/x\/ast-grep\n$/,
  );
});

test.each([
  ['true', /^exit code 0; \d\.\d s; no output$/],
  ['exit 3', /^exit code 3; /],
  ['no-such-program-here', /^exit code 127; [\d.]+ s; all of it is stderr\n.*no-such-program-here: command not found/],
  ['kill -TERM $$', /^(ended by signal SIGTERM|exit code 143); /],
])('%s: the end is told as it was', async (command, answer) => expect(await run(command)).toMatch(answer));

test('a difference is an exit code, and no verdict', async () => {
  writeFileSync(join(loom.workspace, 'a.txt'), 'one, two\n');
  writeFileSync(join(loom.workspace, 'b.txt'), 'one two\n');
  expect(await run('diff a.txt b.txt')).toMatch(/^exit code 1; [\d.]+ s\n1c1\n< one, two\n---\n> one two\n$/);
});

test('what the command itself cut is cut, and the exit code is that of the shell', async () => {
  const answer = await run('seq 1 100000 | head -20');
  expect(answer.split('\n').slice(1, 21)).toEqual(Array.from({ length: 20 }, (_, i) => `${i + 1}`));
});

test('long output is stored whole, exactly', async () => {
  const answer = await run('seq 1 60000');
  const all = Array.from({ length: 60_000 }, (_, i) => `${i + 1}\n`).join('');
  expect((await loom.bytes(idOf(answer.split('\n').slice(1).join('\n')))).toString()).toBe(all);
});

test('both streams in order, which lines are stderr, and each apart', async () => {
  const answer = await run(
    'seq 1 3000; sleep 0.2; echo warning 1>&2; sleep 0.2; seq 3001 6000; sleep 0.2; printf end; printf oops 1>&2',
  );
  expect(answer).toMatch(/^exit code 0; [\d.]+ s; stderr: lines 3001, 6003; apart: stdout d\d+, stderr d\d+\n/);
  const [, stdout = '', stderr = ''] = /stdout (d\d+), stderr (d\d+)/.exec(answer) ?? [];
  expect((await loom.bytes(stderr)).toString()).toBe('warning\noops');
  expect((await loom.bytes(stdout)).toString()).toMatch(/^1\n2\n[^w]*\n6000\nend$/);
});

test('it writes in the workspace, and nowhere else', async () => {
  const outside = mkdtempSync(join(homedir(), '.loom-test-'));
  try {
    expect(await run(`echo in > inside.txt; echo out > ${outside}/out.txt; echo out > /usr/local/out.txt`)).not.toMatch(
      /exit code 0/,
    );
    expect(readFileSync(join(loom.workspace, 'inside.txt'), 'utf8')).toBe('in\n');
    expect(existsSync(join(outside, 'out.txt'))).toBe(false);
    expect(existsSync('/usr/local/out.txt')).toBe(false);
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test('it has no network', async () => {
  const server = createServer((_, response) => response.end('REACHED'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const script = `fetch('http://127.0.0.1:${port}').then((r) => r.text()).then(console.log, (e) => console.log('no', e.cause?.code))`;
  expect(await run(`${process.execPath} -e "${script}"`)).not.toContain('REACHED');
  server.close();
});

test('at its timeout everything of it dies, and what it wrote is kept', async () => {
  const answer = await run('echo begun; (sleep 31.7123 &) ; setsid sleep 31.7123 & sleep 31.7123', {
    timeout_seconds: 1,
  });
  expect(answer).toMatch(/^stopped at its timeout; what it wrote until then is here; [\d.]+ s\nbegun\n$/);
  await gone('sleep 31.7123');
  // The sandbox's own mount points are gone from the workspace too.
  expect(readdirSync(loom.workspace).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('what it left behind dies with it', async () => {
  expect(await run('setsid sleep 32.8123 > /dev/null 2>&1 & echo done')).toMatch(/^exit code 0; /);
  await gone('sleep 32.8123');
});

test('too much output stops it', async () => {
  const answer = await run('yes 0123456789', { timeout_seconds: 60 });
  expect(answer).toMatch(/^stopped, because it wrote more than 50 MB; the first 50 MB are here; /);
}, 120_000);

test('too many processes stop it', async () => {
  const answer = await run('for i in $(seq 1 400); do sleep 33.9123 & done; wait', { timeout_seconds: 60 });
  expect(answer).toMatch(/^stopped, because it had too many processes; /);
  await gone('sleep 33.9123');
});

test('it runs where it is told to, inside the workspace', async () => {
  mkdirSync(join(loom.workspace, 'sub'));
  expect(await run('pwd', { cwd: 'sub' })).toContain(join(loom.workspace, 'sub'));
  for (const cwd of ['..', '/', tmpdir(), 'missing']) {
    expect(await run('pwd', { cwd })).toMatch(/^Error FILE_REFUSED /);
  }
});

test('a secret in the output or in the command is masked', async () => {
  const answer = await run('seq 1 9000; echo token=abcd1234efgh5678');
  expect(answer).toMatch(/1 secret masked as ‹redacted:rule:length› \(token in line 9001\)/);
  expect(answer).not.toContain('abcd1234efgh5678');
});

test('whoever started it is killed: nothing of it stays', async () => {
  const other = await openDoor('stdio', { toolset: 'drawer', env: { LOOM_STORE_CMD: '1' } });
  void other.ask('ctx_store_cmd', { command: 'sleep 34.1123' }).catch(() => undefined);
  await until(() => processes().some(({ line }) => line.includes('sleep 34.1123')));
  process.kill(other.pid ?? 0, 'SIGKILL');
  await gone('sleep 34.1123');
  await other.close();
});
