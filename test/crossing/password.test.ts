/** LOOM_DB_PASSWORD: a program that is started with it uses a sealed drawer, or none. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { lineLog, type Log } from '#base/log.ts';
import { passwordKeys } from '#storage/password.ts';
import type { Keys } from '#storage/types.ts';
import { openLoom, runLoom, sources, type Ran, type TestLoom } from '../fixtures.ts';
import { temporary } from './temporary.ts';

const password = 'correct horse battery staple';
const sealed = { LOOM_DB_PASSWORD: password };
const keyForm = /([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}/;
const word = 'quetzalcoatl';
const text = `${word} keeps its secret\n`;

/** Everything in any file of the drawer that is to be sealed. */
const isPlain = (folder: string): boolean =>
  readdirSync(folder)
    .filter((name) => name.startsWith('drawer.'))
    .some((name) => /quetzalcoatl|SQLite format 3|create table/.test(readFileSync(join(folder, name), 'latin1')));
const store = (folder: string, env: Record<string, string> = {}): Promise<Ran> =>
  runLoom(folder, ['store', '--title', word], { env, input: text });
const everything = (folder: string): string[] =>
  readdirSync(folder).map((name) => `${name} ${readFileSync(join(folder, name), 'base64')}`);

test('a new drawer is sealed from its first byte, and the person is told its recovery key once', async () => {
  const folder = join(temporary(), 'drawer');
  const stored = await store(folder, sealed);
  expect(stored).toMatchObject({ code: 0, out: expect.stringContaining('d1') });
  const recoveryKey = keyForm.exec(stored.notes)?.[0] ?? 'none';
  expect(stored.notes).toMatch(/recovery key/);
  expect(isPlain(folder)).toBe(false);
  expect(await runLoom(folder, ['get', 'd1'], { env: sealed })).toEqual({ code: 0, out: text, notes: '' });
  expect(await runLoom(folder, ['get', 'd1'], { env: { LOOM_DB_PASSWORD: recoveryKey } })).toMatchObject({ out: text });
  const before = everything(folder);
  for (const env of [{}, { LOOM_DB_PASSWORD: 'wrong horse' }])
    expect(await runLoom(folder, ['get', 'd1'], { env })).toMatchObject({
      code: 1,
      notes: expect.stringContaining('DRAWER_KEY'),
    });
  expect(everything(folder)).toEqual(before);
});

test('a passphrase that is too short seals nothing, and no drawer is made', async () => {
  const folder = join(temporary(), 'drawer');
  const refused = await store(folder, { LOOM_DB_PASSWORD: 'short' });
  expect(refused).toMatchObject({ code: 1, notes: expect.stringMatching(/DRAWER_KEY.*at least 8/s) });
  expect(existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('drawer.'))).toBe(false);
});

test('a plain drawer is refused with the verb that seals it, and nothing changes', async () => {
  const folder = join(temporary(), 'drawer');
  await store(folder);
  const before = everything(folder);
  const refused = await runLoom(folder, ['get', 'd1'], { env: sealed });
  expect(refused).toMatchObject({ code: 1, out: '', notes: expect.stringMatching(/DRAWER_PLAIN.*`loom seal`/s) });
  expect((await runLoom(folder, ['doctor'], { env: sealed })).out).toMatch(/ERROR.*not sealed.*loom seal/s);
  expect(everything(folder)).toEqual(before);
});

test('loom seal and loom unseal go both ways, the second only with the passphrase and --confirm', async () => {
  const folder = join(temporary(), 'drawer');
  await store(folder);
  expect(await runLoom(folder, ['seal'], { env: sealed })).toMatchObject({
    code: 0,
    out: expect.stringMatching(keyForm),
  });
  const asked = await runLoom(folder, ['unseal'], { env: sealed });
  expect(asked).toMatchObject({ code: 0, out: expect.stringContaining('loom unseal --confirm') });
  for (const env of [{ LOOM_DB_PASSWORD: 'wrong horse' }, {}])
    expect(await runLoom(folder, ['unseal', '--confirm'], { env })).toMatchObject({ out: '' });
  expect(isPlain(folder)).toBe(false);
  expect(await runLoom(folder, ['unseal', '--confirm'], { env: sealed })).toMatchObject({ code: 0 });
  expect(isPlain(folder)).toBe(true);
  expect(await runLoom(folder, ['get', 'd1'])).toEqual({ code: 0, out: text, notes: '' });
});

test('sealing anew makes a new recovery key, and asks for the passphrase that fits', async () => {
  const folder = join(temporary(), 'drawer');
  const first = keyForm.exec((await store(folder, sealed)).notes)?.[0] ?? 'none';
  const second = keyForm.exec((await runLoom(folder, ['seal'], { env: sealed })).out)?.[0] ?? 'none';
  expect(second).not.toBe(first);
  const other = await runLoom(folder, ['seal'], { env: { LOOM_DB_PASSWORD: 'another passphrase' } });
  expect(other).toMatchObject({ code: 1, out: '', notes: expect.stringContaining('DRAWER_KEY') });
  expect((await runLoom(folder, ['get', 'd1'], { env: { LOOM_DB_PASSWORD: first } })).notes).toMatch(/DRAWER_KEY/);
  expect((await runLoom(folder, ['get', 'd1'], { env: { LOOM_DB_PASSWORD: second } })).out).toBe(text);
});

/** `loom mcp` on the drawer; `log` is what it wrote to stderr. */
const serveMcp = async (
  folder: string,
  env: Record<string, string>,
): Promise<{ client: Client; log: () => string }> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(sources, 'cli.ts'), 'mcp'],
    cwd: tmpdir(),
    env: { ...(process.env as Record<string, string>), LOOM_DB: folder, LOOM_MCP_TOOLSET: 'all', ...env },
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return { client, log: () => log };
};
const ask = async (client: Client, name: string): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: {} });
  return (content as { text: string }[]).map((part) => part.text).join('\n');
};

test('where nobody reads, no recovery key is made: the log says who makes one, and never holds one', async () => {
  const folder = join(temporary(), 'drawer');
  const { client, log } = await serveMcp(folder, sealed);
  expect(await ask(client, 'ctx_health')).toMatch(/^encryption: passphrase$/m);
  await expect.poll(log).toMatch(/WARN .*recovery key.*`loom seal`/);
  expect(isPlain(folder)).toBe(false);
  // A running program goes on while a person makes the key.
  const made = await runLoom(folder, ['seal'], { env: sealed });
  const recoveryKey = keyForm.exec(made.out)?.[0] ?? 'none';
  expect(await ask(client, 'ctx_health')).toMatch(/^encryption: passphrase$/m);
  await client.close();
  expect(log()).not.toMatch(keyForm);
  expect(await runLoom(folder, ['health'], { env: { LOOM_DB_PASSWORD: recoveryKey } })).toMatchObject({ code: 0 });
});

test('a plain drawer is refused to an agent too, until a person seals it', async () => {
  const folder = join(temporary(), 'drawer');
  await store(folder);
  const { client } = await serveMcp(folder, sealed);
  expect(await ask(client, 'ctx_health')).toMatch(/DRAWER_PLAIN.*`loom seal`/s);
  await runLoom(folder, ['seal'], { env: sealed });
  expect(await ask(client, 'ctx_health')).toMatch(/^encryption: passphrase$/m);
});

/** An engine as a window has one (it keeps a passphrase only after sealing), or as `loom mcp` has one. */
const engine = (drawer: string, keys: Keys, warnings: string[] = []): TestLoom => {
  const log: Log = lineLog((line) => warnings.push(line), 'WARN');
  const loom = openLoom({ drawer, workspace: '/', log, keys: async () => keys });
  onTestFinished(loom.end);
  return loom;
};
const putBy = ({ services: { drawer } }: TestLoom, title: string): Promise<unknown> =>
  drawer.session({ client: title, root: '/' }).then((session) =>
    drawer.store({
      session,
      title,
      source: { kind: 'text' },
      bytes: Buffer.from(`${title} ${text}`),
      always: true,
    }),
  );

test('a window and a program with a passphrase: sealing, failover, decrypting; nothing is lost', async () => {
  const folder = join(temporary(), 'drawer');
  const warnings: string[] = [];
  const window = engine(folder, {});
  const program = engine(folder, passwordKeys(password, false), warnings);
  await putBy(window, 'plain');
  // The window's drawer lies open: the program is told so, as a client too.
  await expect(putBy(program, 'refused')).rejects.toMatchObject({ code: 'DRAWER_PLAIN' });
  // The setting loom.encryption: "passphrase".
  await window.services.storage.seal({ sealing: { kind: 'passphrase', passphrase: password } });
  await putBy(program, 'client of the window');
  await window.end();
  await putBy(program, 'owner after the window');
  expect(await program.services.storage.health({})).toMatchObject({ role: 'owner', sealed: 'passphrase' });
  expect(isPlain(folder)).toBe(false);

  // Another window, which has the passphrase, decrypts while the program owns the drawer: it goes on.
  const other = engine(folder, { passphrase: password });
  await other.services.storage.seal({ sealing: { kind: 'off' } });
  await putBy(program, 'owner of a plain drawer');
  await putBy(other, 'client of it');
  expect(isPlain(folder)).toBe(true);
  // And where it comes to that drawer again: it has been using it, and says what became of it.
  const third = engine(folder, passwordKeys(password, false));
  await expect(putBy(third, 'refused')).rejects.toMatchObject({ code: 'DRAWER_PLAIN' });
  await program.end();
  expect((await other.services.storage.health({})).role).toBe('owner');
  const again = engine(folder, {});
  const titles = (await again.services.drawer.sessions({})).map(({ client }) => client).sort();
  expect(titles).toEqual(
    ['plain', 'client of the window', 'owner after the window', 'owner of a plain drawer', 'client of it'].sort(),
  );
});

test('a program that uses the drawer while another one decrypts it goes on after a failover, and warns', async () => {
  const folder = join(temporary(), 'drawer');
  const warnings: string[] = [];
  const window = engine(folder, { passphrase: password });
  await putBy(window, 'first');
  await window.services.storage.seal({ sealing: { kind: 'passphrase', passphrase: password } });
  const program = engine(folder, passwordKeys(password, false), warnings);
  await putBy(program, 'second');
  await window.services.storage.seal({ sealing: { kind: 'off' } });
  await putBy(program, 'third');
  await window.end();
  await putBy(program, 'fourth');
  expect(await program.services.storage.health({})).toMatchObject({ role: 'owner', sealed: 'off' });
  expect(warnings.join()).toMatch(/no longer sealed/);
});
