// Which one is it? A file that was stored more than once, the same bytes under several names, a file that changed since.
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLoom, runLoom, type TestClient, type TestLoom } from '../fixtures.ts';

let loom: TestLoom;
let agent: TestClient;
beforeEach(async () => {
  loom = openLoom();
  agent = await loom.connect('all');
});
afterEach(() => loom.close());

let clock = 1_700_000_000;
const write = (name: string, text: string): void => {
  const path = join(loom.workspace, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, ++clock, clock);
};
const store = (path: string, more: object = {}): Promise<string> =>
  agent.ask('ctx_store_file', { path, keep: true, budget: 200, ...more });
const search = (query: string, more: object = {}): Promise<string> => agent.ask('ctx_search', { query, ...more });

const report = (failing: number | undefined): string =>
  Array.from({ length: 300 }, (_, n) => `${n === failing ? 'FAIL' : 'PASS'} src/mod${n}.test.ts (${n} ms)\n`).join('');

test('of a file that was stored again only what it holds now is found; the old version on request, and named as one', async () => {
  write('out.txt', report(60));
  await store('out.txt');
  expect(await search('FAIL')).toMatch(/^1 passage; no more\nd1 out\.txt\n59\|PASS[^]*\n61>FAIL/);
  write('out.txt', report(undefined));
  await store('out.txt');

  expect(await search('FAIL')).toBe(
    'No match for "FAIL" in 1 document, 5 chunks of this session; 1 older version of files not searched (versions: "all"). ' +
      'Try fewer or other words, a part of a word, or the spelling that the content uses.',
  );
  expect(await search('^FAIL', { regex: true })).toContain('1 older version of files not searched');
  expect(await search('mod60')).toMatch(/^1 passage; no more; 1 older version of files not searched .*\nd2 out\.txt\n/);
  const all = await search('mod60', { versions: 'all' });
  expect(all).toMatch(/^2 passages; no more\nd2 out\.txt\n[^]*\nd1 out\.txt; newer: d2\n[^]*61>FAIL/);
  expect(await search('mod60.test', { versions: 'all', regex: true })).toMatch(
    /\nd2 out\.txt\n[^]*d1 out\.txt; newer: d2\n/,
  );
  expect(await search('FAIL', { doc: 'd1' })).toMatch(/^1 passage; no more\nd1 out\.txt; newer: d2\n/);
  expect(await agent.ask('ctx_get', { id: 'd1', lines: '61' })).toMatch(/^d1 out\.txt \| newer: d2 \| lines 61-61 /);
  expect(await agent.ask('ctx_get', { id: 'd2', lines: '61' })).toMatch(/^d2 out\.txt \| lines 61-61 /);
  // A person sees all of them.
  const ran = await runLoom(loom.drawer, ['search', 'mod60']);
  expect(ran.out).toMatch(/^d2 out\.txt, [^]*\nd1 out\.txt, lines 59-63; newer: d2\n/);
});

test('a file that holds again what it held before: the old document is the newest version', async () => {
  for (const failing of [60, undefined, 60]) {
    write('out.txt', report(failing));
    await store('out.txt');
  }
  expect(await search('FAIL')).toMatch(/; 1 older version .*\nd1 out\.txt\n[^]*61>FAIL/);
  expect(await agent.ask('ctx_get', { id: 'd2', lines: '61' })).toMatch(/^d2 out\.txt \| newer: d1 \|/);
});

test('when the newest version goes, the one before it stands for the file again', async () => {
  for (const failing of [60, undefined]) {
    write('out.txt', report(failing));
    await store('out.txt');
  }
  const other = await loom.services.drawer.session({ client: 'other', root: '/else' });
  const { session } = (await loom.services.drawer.documents({ limit: 1 }))[0] ?? { session: '' };
  const move = { ids: ['d2'], from: session, to: other, move: true };
  await loom.services.drawer.transfer(move, { signal: new AbortController().signal, progress: () => undefined });
  expect(await search('FAIL')).toMatch(/^1 passage; no more\nd1 out\.txt; file changed since: store it again\n/);
});

test('the same bytes under two names are one document, known by both', async () => {
  const json = JSON.stringify(
    Array.from({ length: 300 }, (_, i) => ({ i, v: i * 7 })),
    undefined,
    1,
  );
  write('prod.json', json);
  write('conf/staging.json', json);
  expect(await store('prod.json')).toMatch(/^d1 prod\.json\n/);
  expect(await store('conf/staging.json')).toMatch(
    /^d1 conf\/staging\.json \(same bytes as prod\.json, stored before\)\njson · /,
  );
  expect(await search('2093')).toMatch(/\nd1 prod\.json = conf\/staging\.json\n/);
  expect(await agent.ask('ctx_get', { id: 'd1', lines: '1' })).toMatch(
    /^d1 prod\.json = conf\/staging\.json \| lines 1-1 /,
  );

  const [first, second, ...rest] = await agent.parts('ctx_store_file', {
    paths: ['prod.json', 'conf/staging.json'],
    keep: true,
    budget: 200,
  });
  expect(rest).toEqual([]);
  expect(first).toMatch(/^d1 prod\.json \(same bytes as conf\/staging\.json, stored before\)\njson · /);
  expect(second).toMatch(/^d1 conf\/staging\.json: json, [^\n]*; same bytes as prod\.json$/);
  expect(second?.length).toBeLessThan(200);

  // One of them goes on: the document still stands for the other.
  write('prod.json', json.replace('"v": 7', '"v": 8'));
  await store('prod.json');
  expect(await search('2093')).toMatch(/^2 passages; no more\n/);
});

test('a file that changed since, or is gone, is told when its document is read or hit', async () => {
  write('out.txt', report(60));
  await store('out.txt');
  const got = (): Promise<string> => agent.ask('ctx_get', { id: 'd1', lines: '61' });
  expect(await got()).toMatch(/^d1 out\.txt \| lines 61-61 /);
  write('out.txt', report(undefined));
  expect(await got()).toMatch(/^d1 out\.txt \| file changed since: store it again \| lines 61-61 /);
  expect(await search('FAIL')).toMatch(/\nd1 out\.txt; file changed since: store it again\n/);
  renameSync(join(loom.workspace, 'out.txt'), join(loom.workspace, 'away.txt'));
  expect(await got()).toMatch(/^d1 out\.txt \| file is gone since \|/);
  write('out.txt', report(60));
  await store('out.txt');
  expect(await got()).toMatch(/^d1 out\.txt \| lines 61-61 /);
  rmSync(join(loom.workspace, 'away.txt'));
});

test('a title under which a small text is kept stands in the answer', async () => {
  const keep = (text: string, title?: string) => agent.ask('ctx_store', { text, title, keep: true });
  expect(await keep('x = 1', 'constants')).toBe('stored whole as d1 constants, kept:\nx = 1');
  expect(await keep('y = 2')).toBe('stored whole as d2, kept:\ny = 2');
});
