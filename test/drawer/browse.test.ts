import { expect, test } from 'vitest';
import { control, rig } from './rig.ts';

const log = (lines: number): string => Array.from({ length: lines }, (_, n) => `10:00:${n} INFO step ${n}\n`).join('');

test('pages of documents: newest first, filtered by session, kind and part of the title', async () => {
  const it = await rig();
  const other = await it.drawer.session({ client: 'other', root: '/else' });
  await it.put('one', { title: 'Report.md' });
  await it.put('{"a": 1}', { title: 'data.json' });
  await it.put('two', { title: 'report 100%.md', session: other });
  await it.put('three', { title: 'notes' });
  const titles = async (args: object): Promise<[number, string[]]> => {
    const { rows, total } = await it.drawer.documentPage({ offset: 0, limit: 10, ...args });
    return [total, rows.map(({ title }) => title)];
  };
  expect(await titles({})).toEqual([4, ['notes', 'report 100%.md', 'data.json', 'Report.md']]);
  expect(await titles({ offset: 1, limit: 2 })).toEqual([4, ['report 100%.md', 'data.json']]);
  expect(await titles({ offset: 9 })).toEqual([4, []]);
  expect(await titles({ session: other })).toEqual([1, ['report 100%.md']]);
  expect(await titles({ kind: 'json' })).toEqual([1, ['data.json']]);
  expect(await titles({ title: 'REPORT' })).toEqual([2, ['report 100%.md', 'Report.md']]);
  expect(await titles({ title: '0%' })).toEqual([1, ['report 100%.md']]);
  expect(await titles({ title: '' })).toEqual([4, ['notes', 'report 100%.md', 'data.json', 'Report.md']]);
  const [first] = (await it.drawer.documentPage({ offset: 0, limit: 1 })).rows;
  expect(first).toEqual((await it.drawer.documents({ limit: 1 }))[0]);
});

test('pages of chunks: in order, with the line and the words that each begins with', async () => {
  const it = await rig();
  const { id = '', chunks } = await it.put(log(1_000));
  const all = await it.drawer.chunkPage({ id, offset: 0, limit: 1_000 });
  expect(all.total).toBe(chunks);
  expect(all.rows).toHaveLength(chunks);
  expect(all.rows[0]).toMatchObject({ id: `${id}.1`, line: 1, offset: 0, text: '10:00:0 INFO step 0' });
  for (const { line, text } of all.rows) expect(text).toBe(`10:00:${line - 1} INFO step ${line - 1}`);
  expect(all.rows.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(log(1_000).length);
  expect((await it.drawer.chunkPage({ id, offset: 3, limit: 2 })).rows).toEqual(all.rows.slice(3, 5));
  await expect(it.drawer.chunkPage({ id: 'd99', offset: 0, limit: 1 })).rejects.toThrow('d99 was never given out');
});

test('a chunk that is not text has no words; one that breaks a character has', async () => {
  const it = await rig();
  const binary = await it.put(Uint8Array.from({ length: 5_000 }, (_, n) => n % 256));
  const wide = await it.put('数据'.repeat(3_000));
  const [first] = (await it.drawer.chunkPage({ id: binary.id ?? '', offset: 0, limit: 1 })).rows;
  expect(first?.text).toBe('');
  const [second] = (await it.drawer.chunkPage({ id: wide.id ?? '', offset: 1, limit: 1 })).rows;
  expect(second?.text.slice(0, 4)).toMatch(/^[数据]{4}$/);
});

test('one document from the inside: the anchor as the model saw it, invariants, what was masked', async () => {
  const it = await rig();
  const secret = `password=${'hunter2'.repeat(3)}`;
  const text = `${log(600)}see https://example.org/a and /var/log/app.log\n${secret}\n${secret}\n`;
  const stored = await it.put(text, { title: 'app.log' });
  const { id = '' } = stored;
  await it.indexed();
  const detail = await it.drawer.documentDetail({ id });
  expect(detail).toMatchObject({ id, title: 'app.log', anchor: stored.text, redacted: 2, indexed: stored.chunks });
  const { bytes, invariants, redactions } = await it.drawer.inspect({ id }, control());
  expect(bytes).toBe(stored.bytes);
  expect(redactions).toEqual(stored.redactions);
  expect(redactions.map(({ line }) => line)).toEqual([602, 603]);
  const of = (kind: string) => invariants.find((found) => found.kind === kind);
  expect(of('url')).toEqual({ kind: 'url', total: 1, values: [{ text: 'https://example.org/a', count: 1 }] });
  expect(of('path')?.values.map((value) => value.text)).toContain('/var/log/app.log');
});
