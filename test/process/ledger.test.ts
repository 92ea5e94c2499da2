// The ledger from outside: what its tools say of calls that a real client made, against OpenAI's own tokenizer.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { get_encoding } from 'tiktoken';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import type { Counter, EntryRow, Report } from '#ledger/types.ts';
import { listingTexts } from '#mcp/listing/prompt.ts';
import { bundles, doors, listingFor, openDoor, openLoom, remove, root, scratch, type OpenedDoor } from '../fixtures.ts';

// Each takes a second to make: longer than that nothing here may hold the thread that a server runs on.
const encodings = { o200k_base: get_encoding('o200k_base'), cl100k_base: get_encoding('cl100k_base') };
afterAll(() => Object.values(encodings).forEach((encoding) => encoding.free()));
const count = (text: string, counter: Counter): number => encodings[counter].encode(text, [], []).length;

const log = Array.from({ length: 900 }, (_, n) => `${n} compiled module ${n * 31} in ${(n * 7) % 97} ms\n`).join('');
// A picture of 600 KB, and what is printed beside it.
const picture = `import os, base64
class P:
    def _repr_mimebundle_(self, include=None, exclude=None): return {'image/png': base64.b64encode(os.urandom(600_000)).decode()}
p = P()
print(True)
p`;

describe.each(doors)('over %s', (door) => {
  const counter: Counter = door === 'stdio' ? 'cl100k_base' : 'o200k_base';
  const client = door === 'http' ? 'vscode' : 'test';
  let loom: OpenedDoor;
  const made: { tool: string; args: object; answer: string }[] = [];
  const call = async (tool: string, args: object): Promise<string> => {
    const parts = await loom.parts(tool, args);
    const answer = parts.join('\n');
    // VS Code takes white space off both ends.
    made.push({ tool, args, answer: client === 'vscode' ? answer.trim() : answer });
    return answer;
  };
  type Exported = { report: Report; entries: Record<string, string | number>[] };
  const exported = async (scope: string, limit = 500): Promise<Exported> => {
    const text = await loom.ask('ledger', { view: 'export', format: 'json', scope, limit });
    expect(text).toContain(limit === 1 ? 'complete: no' : 'complete: yes');
    return JSON.parse(text.slice(text.indexOf('\n'))) as Exported;
  };

  beforeAll(async () => {
    loom = await openDoor(door, { toolset: 'all', env: { LOOM_COUNTER: counter } });
    writeFileSync(join(loom.workspace, 'build.log'), log);
    await loom.client.listTools();
    await call('ctx_store_file', { path: 'build.log' });
    await call('ctx_get', { id: 'd1', lines: '10-12' });
  });
  afterAll(() => loom.close());

  test('every entry is what was sent and received, token for token', async () => {
    const { report, entries } = await exported('conversation');
    const of = (kind: string): typeof entries => entries.filter((entry) => entry['kind'] === kind).reverse();
    expect(of('call').map(({ tool, tokens }) => [tool, tokens])).toEqual(
      made.map(({ tool, args }) => [tool, count(JSON.stringify(args), counter)]),
    );
    expect(of('answer').map(({ tokens }) => tokens)).toEqual(made.map(({ answer }) => count(answer, counter)));
    expect(of('listing').map(({ tokens }) => tokens)).toEqual([
      listingTexts(listingFor('all'), client).reduce((sum, text) => sum + count(text, counter), 0),
    ]);
    expect(of('moved')).toMatchObject([{ document: 'd1', tokens: count(log, counter), counter }]);
    expect(report).toMatchObject({
      counters: [counter],
      calls: 2,
      returned: { tokens: count(log.split('\n').slice(9, 12).join('\n') + '\n', counter) },
    });
    expect(report.net?.tokens).toBe(
      report.moved.tokens - report.call.tokens - report.answer.tokens - (report.listed?.tokens ?? NaN),
    );
  });

  test('the report, pages of entries and CSV read well, and lead on', async () => {
    expect(await loom.ask('ctx_stats', { scope: 'conversation' })).toMatch(
      new RegExp(
        `^\\d calls; tokens by ${counter}\nKept out of the prompt: [\\d,]+ \\((computed|estimated)\\)\nPaid: `,
      ),
    );
    const first = await loom.ask('ledger', { view: 'entries', scope: 'life', limit: 3 });
    const cursor =
      /^3 of \d+ entries, newest first: \d+ to (\d+) \| complete: no, next cursor: (\d+) \| tokens by /.exec(first);
    expect(cursor?.[1]).toBe(cursor?.[2]);
    const next = await loom.ask('ledger', { view: 'entries', scope: 'life', limit: 3, cursor: cursor?.[2] });
    expect(next.split('\n')[1]).toMatch(
      new RegExp(`^${Number(cursor?.[2]) - 1} \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\w+`),
    );
    const csv = await loom.ask('ledger', { view: 'export', scope: 'session', kind: 'moved', limit: 500 });
    expect(csv.split('\r\n')[1]).toMatch(/^\d+,[^,]+Z,moved,ctx_store_file,\w+,[^,]+,[^,]+,d1,/);
    expect(await loom.ask('ledger', { view: 'entries', tool: 'nobody' })).toBe('No entry.');
    expect(await loom.ask('ledger', { view: 'entries', cursor: 'x' })).toMatch(/^Error INVALID_ARGUMENTS/);
  });

  test('a purge takes the documents, and nothing of what they kept out', async () => {
    const before = (await exported('life', 1)).report;
    expect(await loom.ask('ctx_purge_session', { confirm: true })).toMatch(/^Purged 1 session/);
    const after = (await exported('life', 1)).report;
    expect(after.moved).toEqual(before.moved);
    expect(after.calls).toBeGreaterThan(before.calls);
    expect(after.answer.tokens).toBeGreaterThan(before.answer.tokens);
  });
});

test('loom stats --json is the report for life, also by another counter', async () => {
  const loom = await openDoor('stdio', { env: { LOOM_COUNTER: 'cl100k_base' } });
  await loom.ask('ctx_store', { text: 'short' });
  const stats = (...more: string[]): string =>
    execFileSync(process.execPath, [join(root, 'dist/cli.cjs'), 'stats', ...more], {
      env: { ...process.env, LOOM_DB: loom.drawer },
      encoding: 'utf8',
    });
  await loom.end();
  expect(JSON.parse(stats('--json'))).toMatchObject({ calls: 1, counters: ['cl100k_base'], moved: { tokens: 0 } });
  expect(stats()).toMatch(/^1 call; tokens by cl100k_base\n/);
  const one = execFileSync(process.execPath, [join(root, 'dist/cli.cjs'), 'sessions', '--json'], {
    env: { ...process.env, LOOM_DB: loom.drawer },
    encoding: 'utf8',
  });
  const [{ id } = { id: '' }] = JSON.parse(one) as { id: string }[];
  expect(stats('--session', id)).toBe(stats());
  expect(() => stats('--session', 'nobody')).toThrow(/NOT_FOUND.*loom sessions lists them/);
  await loom.close();
});

describe('the output of a cell', () => {
  const loom = openLoom({ programs: bundles, log: silentLog });
  const { drawer, kernel, ledger } = loom.services;
  afterAll(loom.close);
  let session: string;
  const run = async (code: string, account?: { client: string; conversation: string }): Promise<EntryRow[]> => {
    session ??= await drawer.session({ client: 'vscode', root: loom.workspace });
    const choice = { backend: 'auto' as const, cwd: loom.workspace };
    const { info } = await kernel.run({ session, code, choice, wait: 60_000, units: 7_000, account });
    const { rows } = await ledger.entries({ session, kind: 'moved', offset: 0, limit: 9 });
    return rows.filter(({ document }) => document === `In [${info.execution}]`);
  };
  const account = { client: 'vscode', conversation: 'c1' };

  test('is kept out as far as a terminal would have shown it', async () => {
    const common = { ...account, kind: 'moved', tool: 'run_python', label: 'computed' };
    expect(await run('for i in range(200): print(i, i * i)', account)).toMatchObject([
      {
        ...common,
        tokens: count(Array.from({ length: 200 }, (_, i) => `${i} ${i * i}`).join('\n'), 'o200k_base'),
        excess: 0,
      },
    ]);
    const long = Array.from({ length: 5_000 }, (_, i) => `line ${i}`).join('\n');
    expect(await run('for i in range(5000): print("line", i)', account)).toMatchObject([
      { ...common, tokens: 95, excess: count(long, 'o200k_base') - 95 },
    ]);
  });

  test('moves nothing where a person ran it, and a picture counts nothing', async () => {
    expect(await run('for i in range(200): print(i, i * i)')).toEqual([]);
    const [moved] = await run(picture, account);
    // `True` and the line that stands for the picture.
    expect(moved?.tokens).toBeLessThan(60);
    expect(moved?.excess).toBe(0);
  });
});

test('two programs over a sealed drawer keep one bill, and it is the same after all of them ended', async () => {
  const drawer = scratch();
  const keys = { passphrase: 'correct horse battery staple' };
  const open = () => openLoom({ programs: bundles, drawer, log: silentLog, keys: () => Promise.resolve(keys) });
  const account = { session: 's', conversation: 'c', client: 'vscode' };
  const call = { ...account, tool: 'ctx_get', call: '{"id":"d1"}', answer: ['one two three'], latencyMs: 1 };
  const terms = { calls: 6, turns: { count: 3 }, call: { tokens: 6 * count(call.call, 'o200k_base') } };
  const [owner, other] = [open(), open()];
  await owner.services.storage.seal({ sealing: { kind: 'passphrase', ...keys } });
  await owner.services.ledger.recordListing({ ...account, conversation: 'connection', texts: ['some tools'] });
  for (let n = 0; n < 3; n++)
    await Promise.all([owner, other].map(({ services }) => services.ledger.recordCall({ ...call, turn: `t${n}` })));
  // Each writes within a second; a report of its own is over what it has written.
  await owner.services.ledger.report({ life: true });
  expect(await other.services.ledger.report({ conversation: 'c' })).toMatchObject(terms);
  await owner.close();
  expect(await other.services.ledger.report({ conversation: 'c' })).toMatchObject(terms);
  await other.close();
  const again = open();
  const report = await again.services.ledger.report({ life: true });
  expect(report).toMatchObject(terms);
  expect(report.listed?.tokens).toBe(3 * count('some tools', 'o200k_base'));
  await again.close();
  remove(drawer);
});
