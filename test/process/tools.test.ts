// Every tool of the drawer, through a real client on both doors.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { partLimit } from '#base/text.ts';
import { doors, idOf, openDoor, type OpenedDoor } from '../fixtures.ts';

const names = [
  'ctx_check',
  'ctx_get',
  'ctx_health',
  'ctx_list_sessions',
  'ctx_profile',
  'ctx_purge_expired',
  'ctx_purge_session',
  'ctx_rebuild_index',
  'ctx_search',
  'ctx_stats',
  'ctx_store',
  'ctx_store_cmd',
  'ctx_store_file',
  'ctx_transfer',
  'ctx_vacuum',
  'ctx_vector_stats',
  'ctx_verify',
  'loom_op',
  'loom_op_write',
];

const log = (lines: number): string =>
  Array.from({ length: lines }, (_, i) =>
    i === 2_500
      ? `${i} ERROR connect ECONNREFUSED 10.0.0.5:5432 try at most 3 times`
      : `${i} INFO request ${i * 7919} served in ${i % 97} ms`,
  ).join('\n');

describe.each(doors)('over %s', (door) => {
  let loom: OpenedDoor;
  let id: string;
  beforeAll(async () => {
    loom = await openDoor(door, { toolset: 'drawer' });
    writeFileSync(join(loom.workspace, 'app.log'), log(6_000));
    id = idOf(await loom.ask('ctx_store_file', { path: 'app.log' }));
  });
  afterAll(() => loom.close());

  /** The id of the caller's own session. */
  const own = async (): Promise<string> => /^(\S+) \(this one\)/m.exec(await loom.ask('ctx_list_sessions'))?.[1] ?? '';
  const stranger = '01930000-0000-7000-8000-000000000000';

  test('all of them are listed, and the routers, with the hints of their effects', async () => {
    const { tools } = await loom.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(names);
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints['ctx_verify']).toMatchObject({ readOnlyHint: true });
    expect(hints['ctx_transfer']).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    for (const name of ['ctx_purge_session', 'ctx_purge_expired', 'ctx_store_cmd'])
      expect(hints[name]).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  test('ctx_search finds by pattern, and pages', async () => {
    const found = await loom.ask('ctx_search', { query: String.raw`ECONNREFUSED \d+\.\d+`, regex: true });
    expect(found).toMatch(/^1 passage; no more\nd\d+ app\.log\n2499\|2498 INFO/);
    const first = await loom.ask('ctx_search', { query: String.raw`served in 42 ms$`, regex: true, limit: 2 });
    expect(first).toMatch(/^2 passages; \d+ matching lines more: cursor "d\d+:\d+"\n/);
    const cursor = /cursor "([^"]+)"/.exec(first)?.[1];
    expect(
      await loom.ask('ctx_search', { query: String.raw`served in 42 ms$`, regex: true, limit: 2, cursor }),
    ).toContain('\n237>');
    expect(await loom.ask('ctx_search', { query: '(a', regex: true })).toMatch(
      /^Error INVALID_ARGUMENTS .*no valid pattern: missing closing \)/,
    );
    expect(await loom.ask('ctx_search', { query: 'error', regex: true })).toMatch(/^No match for "error" .*\(\?i\)/);
  });

  test('ctx_search explains itself', async () => {
    const found = await loom.ask('ctx_search', { query: 'ECONNREFUSED', explain: true });
    expect(found).toMatch(
      /\nreport: matched all; searched 1 document, \d+ chunks; not searched: 0 documents of other sessions\n {2}passage 1: score [\d.]+, chunks d\d+\.\d+/,
    );
  });

  test('ctx_store_file with a query gives the best matches in the same answer', async () => {
    const anchor = await loom.ask('ctx_store_file', { path: 'app.log' });
    const answer = await loom.ask('ctx_store_file', { path: 'app.log', query: 'request 23764919' });
    expect(answer.slice(0, anchor.length + 1)).toBe(`${anchor}\n`);
    const passages = answer.slice(anchor.length + 1);
    expect(passages).toMatch(/^\d passages?.*\nd\d+ app\.log\n3000\|/);
    expect(passages).toContain('3001 INFO request 23764919');
    const nothing = await loom.ask('ctx_store_file', { path: 'app.log', query: 'zanzibar' });
    expect(nothing.slice(anchor.length)).toMatch(/^\nNo match for "zanzibar"/);
    writeFileSync(join(loom.workspace, 'few.log'), log(20));
    expect(await loom.ask('ctx_store_file', { path: 'few.log', query: 'request' })).toBe(log(20));
  });

  test('ctx_store explains itself, and its profile sets the size', async () => {
    const text = log(5_000);
    const full = await loom.ask('ctx_store', { text, explain: true });
    expect(full).toMatch(
      /^report: original_tokens [\d,]+, anchor_tokens \d+, saved_pct [\d.]+\n {2}coverage [\d.]+ .*retrievable 1; lossless true\n/,
    );
    const small = await loom.ask('ctx_store', { text: `${text}\nmore`, profile: 'aggressive' });
    expect(small.length).toBeLessThan(full.length / 2);
    expect(await loom.ask('ctx_profile')).toMatch(/^The profile is strict\./);
    expect(await loom.ask('ctx_profile', { profile: 'balanced' })).toMatch(/^The profile is now balanced\./);
    expect(await loom.ask('ctx_profile', { profile: 'strict' })).toMatch(/^The profile is now strict\./);
  });

  test('secrets are masked on the way in, and every answer that shows one says so', async () => {
    const text = log(3_000).replace('100 INFO', 'token=abcd1234efgh5678 INFO');
    writeFileSync(join(loom.workspace, 'secret.log'), text);
    const anchor = await loom.ask('ctx_store_file', { path: 'secret.log' });
    expect(anchor).toMatch(
      /^1 secret masked as ‹redacted:rule:length› \(token in line 101\): do not write such lines back\.\nd\d+ secret\.log\n/,
    );
    const secret = /^(d\d+) /m.exec(anchor)?.[1] ?? '';
    const shown = await loom.ask('ctx_get', { id: secret, lines: '100-102' });
    expect(shown).toMatch(
      /\| secrets masked as ‹redacted:…›: do not write such lines back \| complete: yes\n```\n99 INFO.*\ntoken=‹redacted:token:16› INFO/,
    );
    expect(await loom.ask('ctx_get', { id: secret, lines: '200-202' })).not.toContain('masked');
    expect(await loom.ask('ctx_search', { query: 'abcd1234efgh5678' })).toMatch(/^No match/);
    const small = await loom.ask('ctx_store', { text: 'password=hunter2hunter2' });
    expect(small).toMatch(/^1 secret masked .*\npassword=‹redacted:password:14›$/);
  });

  test('several files in one call say each what was masked in it', async () => {
    for (const name of ['a', 'b', 'c', 'd'])
      writeFileSync(
        join(loom.workspace, `${name}.masked.log`),
        `${name === 'c' ? 'password=hunter2hunter2\n' : ''}${log(2_000)}${name}\n`,
      );
    const answer = await loom.ask('ctx_store_file', { path: '*.masked.log' });
    expect(answer.split('\n').filter((line) => line.includes('masked as'))).toEqual([
      expect.stringMatching(
        /^d\d+ c\.masked\.log: .* tokens; 1 secret masked as ‹redacted:rule:length› \(password in line 1\)$/,
      ),
    ]);
  });

  test('ctx_check says where each fact stands', async () => {
    const facts = ['ECONNREFUSED 10.0.0.5:5432', '3001 INFO request 23764919', 'no such fact'];
    const answer = await loom.ask('ctx_check', { facts, doc: id });
    expect(answer.split('\n')).toEqual([
      '3 facts: 1 in an anchor, 1 retrievable, 1 absent',
      `"ECONNREFUSED 10.0.0.5:5432": in the anchor of ${id}: ${id} line 2501`,
      `"3001 INFO request 23764919": retrievable: ${id} line 3002`,
      '"no such fact": absent',
    ]);
  });

  test('ctx_verify recomputes a document, a session, and everything', async () => {
    const one = await loom.ask('ctx_verify', { doc: id });
    expect(one).toMatch(/^1 document, [\d,]+ bytes, \d+ chunks: no fault\nbytes: joined .*SHA-256 \([0-9a-f]{64}\)\n/);
    expect(one).toMatch(/\ninvariants: ([\d,]+) of \1 retrievable, [\d,]+ of them visible in the anchor\n/);
    for (const args of [{}, { session: 'all' }, { session: await own() }])
      expect(await loom.ask('ctx_verify', args)).toMatch(/^\d+ documents, .*: no fault\n/);
    expect(await loom.ask('ctx_verify', { session: stranger })).toMatch(/^Error NOT_FOUND /);
  });

  test('content of another session is refused with the call that brings it over', async () => {
    for (const [tool, args] of [
      ['ctx_get', { id, session: stranger }],
      ['ctx_search', { query: 'x', doc: id, session: stranger }],
      ['ctx_check', { facts: ['x'], doc: id, session: stranger }],
    ] as const)
      expect(await loom.ask(tool, args)).toContain(`ctx_transfer {"ids":["${id}"],"from_session":"${stranger}"}`);
    expect(await loom.ask('ctx_store', { text: 'x', session: stranger })).toMatch(
      /^Error OTHER_SESSION .*Nothing was stored/,
    );
    expect(await loom.ask('ctx_get', { id, lines: '1', session: await own() })).toContain('complete: yes\n```\n0 INFO');
  });

  test('ctx_list_sessions shows ids and sizes, and no content', async () => {
    expect(await loom.ask('ctx_list_sessions')).toMatch(
      /^1 session, 0 expired\n\S+ \(this one\): \w+ in \/.*; \d+ documents, [\d.]+ MB; last used /,
    );
    const listed = await loom.ask('ctx_list_sessions', { session: await own() });
    expect(listed).toMatch(new RegExp(`^${id} app\\.log: log, [\\d,]+ bytes, [\\d,]+ tokens, stored \\d{4}-`, 'm'));
    expect(listed).not.toContain('INFO');
  });

  test('upkeep: the index, the file, the semantic index that there is not', async () => {
    expect(await loom.ask('ctx_rebuild_index')).toMatch(
      /^The index was made anew from the content: \d+ documents, \d+ chunks\.$/,
    );
    expect(await loom.ask('ctx_vacuum')).toMatch(/^Compacted: [\d.]+ MB before, [\d.]+ MB now\.$/);
    expect(await loom.ask('ctx_vector_stats')).toMatch(/^Semantic index: off/);
    expect(await loom.ask('ctx_search', { query: 'ECONNREFUSED' })).toContain('\n2501>2500 ERROR');
  });

  test('ctx_transfer says what is wrong, and what became of what', async () => {
    expect(await loom.ask('ctx_transfer', { ids: [id] })).toMatch(/^Error INVALID_ARGUMENTS .*are the same/);
    expect(await loom.ask('ctx_transfer', { ids: [id], from_session: stranger })).toMatch(
      /^Error NOT_FOUND .*ctx_list_sessions/,
    );
  });

  test('purges do nothing without confirm, and say afterwards what went', async () => {
    expect(await loom.ask('ctx_purge_expired')).toBe('Nothing to purge: no session has expired.');
    const session = await own();
    const would = await loom.ask('ctx_purge_session', { session });
    expect(would).toMatch(/^Nothing was purged yet\. This would go, for good: 1 session with \d+ documents: d1, /);
    expect(would).toContain(`To purge: ctx_purge_session {"session":"${session}","confirm":true}`);
    expect(await loom.ask('ctx_get', { id, lines: '1' })).toContain('0 INFO');
    expect(await loom.ask('ctx_purge_session', { confirm: true })).toMatch(/^Purged 1 session with \d+ documents: /);
    expect(await loom.ask('ctx_get', { id })).toMatch(/^Error NOT_FOUND .*: d\d+ was purged on \d{4}-/);
    expect(await loom.ask('ctx_verify')).toBe('Nothing to verify: no document is stored there.');
  });

  test('no answer is longer than a client shows', async () => {
    writeFileSync(
      join(loom.workspace, 'wide.log'),
      Array.from({ length: 4_000 }, (_, i) => `${i} ${'wide '.repeat(80)}`).join('\n'),
    );
    await loom.ask('ctx_store_file', { path: 'wide.log' });
    for (const args of [
      { query: 'wide', limit: 50, explain: true },
      { query: 'wide', limit: 50, regex: true, explain: true },
    ])
      for (const part of await loom.parts('ctx_search', args)) expect(part.length).toBeLessThanOrEqual(partLimit);
  });
});

test('two clients in one drawer: one brings a document of the other over', async () => {
  const one = await openDoor('stdio', { toolset: 'drawer', env: { LOOM_REDACT: '0' } });
  writeFileSync(join(one.workspace, 'app.log'), `${log(3_000)}\ntoken=abcd1234efgh5678\n`);
  const id = idOf(await one.ask('ctx_store_file', { path: 'app.log' }));
  const two = await openDoor('http', { toolset: 'drawer', drawer: one.drawer });
  const refused = await two.ask('ctx_get', { id, lines: '1' });
  const args = JSON.parse(/ctx_transfer (\{.*\})\./.exec(refused)?.[1] ?? '') as object;
  const done = await two.ask('ctx_transfer', args);
  expect(done).toMatch(/^Copied to your session:\nd1 is d2 there \([\d,]+ bytes\)$/);
  expect((await two.bytes('d2')).equals(await one.bytes(id))).toBe(true);
  // What is stored is never redacted again.
  expect(await two.ask('ctx_search', { query: 'abcd1234efgh5678' })).toContain('token=abcd1234efgh5678');
  await two.close();
  await one.close();
});
