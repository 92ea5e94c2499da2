import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Output } from '#kernel/output/output.ts';
import { readPage } from '#kernel/output/page.ts';
import { OutputFile } from '#kernel/executions/outputFile.ts';
import { Spool } from '#kernel/executions/spool.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from '#kernel/output/entry.ts';

const outputOf = (text: string, limit = 10_000_000): Output => {
  const output = new Output(1, limit);
  // Chunks as a kernel sends them: neither lines nor characters are whole.
  for (let at = 0; at < text.length; at += 997) output.add({ kind: 'stdout', text: text.slice(at, at + 997) });
  return output;
};
const lines = (n: number): string => Array.from({ length: n }, (_, k) => `line ${k + 1}\n`).join('');

test('every page together is the whole text', () => {
  const text = `${lines(500)}${'x'.repeat(3_000)}😀😀😀\n${lines(3)}end`;
  const stream = outputOf(text).stream('stdout');
  let whole = '';
  for (let cursor: string | undefined, more = true, inLine = false; more;) {
    const page = readPage(stream, { cursor, units: 101 });
    expect(page.text.length).toBeLessThanOrEqual(101);
    expect(page.text.isWellFormed()).toBe(true);
    whole += `${whole === '' || inLine ? '' : '\n'}${page.text}`;
    inLine = page.cursor !== undefined && !/\.0-/.test(page.cursor);
    cursor = page.cursor;
    more = cursor !== undefined;
  }
  expect(whole).toBe(text);
});

describe('a range of ten lines', () => {
  const stream = outputOf(lines(10)).stream('stdout');
  test.each([
    [undefined, 1, 10],
    ['3-5', 3, 5],
    ['3:5', 3, 5],
    ['3', 3, 3],
    [':4', 1, 4],
    ['8:', 8, 10],
    ['-3:', 8, 10],
    [':-8', 1, 3],
    ['-2:-1', 9, 10],
    [' +2 : 3 ', 2, 3],
    ['0:2', 1, 2],
    ['9:99', 9, 10],
    ['5:3', 5, 4],
    ['20:30', 11, 10],
    [':0', 1, 0],
    ['7-', 7, 10],
    ['-4', 7, 10],
    ['L3-L5', 3, 5],
  ])('%s is %i to %i', (range, from, to) => {
    const page = readPage(stream, { lines: range, units: 1_000 });
    expect(page.text).toBe(
      lines(10)
        .split('\n')
        .slice(from - 1, Math.max(from - 1, to))
        .join('\n'),
    );
    expect(page.cursor).toBeUndefined();
  });
  test.each(['x', '1:2:3', '1--', 'a-b', '2..x', ''])('"%s" is none', (range) =>
    expect(() => readPage(stream, { lines: range, units: 1_000 })).toThrow(/is no range/),
  );
  test('lines are clipped, and keep their numbers', () =>
    expect(readPage(stream, { lines: '10', maxChars: 4, units: 1_000 })).toMatchObject({
      text: 'line...[3 chars omitted]',
      lines: [10, 10],
    }));
});

describe('over the limit', () => {
  const total = 20_000;
  const limit = 40_000;
  const stream = outputOf(lines(total), limit).stream('stdout');

  test('the first and the last lines stay under their numbers', () => {
    const { missing } = stream;
    expect(stream.totalLines).toBe(total);
    expect(stream.units).toBeLessThan(limit * 2);
    const kept = [...stream.lines()];
    for (const [n, line] of kept) expect(line).toBe(`line ${n}`);
    expect(kept[0]?.[0]).toBe(1);
    expect(kept.at(-1)?.[0]).toBe(total);
    expect(missing && missing.to - missing.from + 1 + kept.length).toBe(total);
  });

  test('what is read back from disk has the same numbers', () => {
    const folder = mkdtempSync(join(tmpdir(), 'loom-spool-'));
    const spool = new Spool(new OutputFile(join(folder, 'x.output'), randomBytes(32)), limit);
    const live = new Output(1, limit);
    for (const line of lines(total).match(/.+\n/g) ?? []) {
      const entry: Entry = { kind: 'stdout', text: line };
      live.add(entry);
      spool.add(entry);
    }
    expect(spool.finish(live.totalLines)).toMatchObject({ entries: undefined, unsure: undefined });
    const back = new Output(1, 10 * limit);
    for (const entry of spool.entries(live.totalLines)) back.add(entry);
    back.complete();
    spool.close();
    rmSync(folder, { recursive: true });
    const kept = [...back.stream('stdout').lines()];
    for (const [n, line] of kept) expect(line).toBe(`line ${n}`);
    expect(kept.length).toBeGreaterThan(500);
    expect(kept.at(-1)?.[0]).toBe(total);
    expect(back.stream('stdout').totalLines).toBe(total);
  });

  test('an endless line is bounded, and says how much is missing', () => {
    const endless = outputOf('x'.repeat(100_000), limit).stream('stdout');
    expect(endless.units).toBe(limit);
    expect(endless.missing).toEqual({ from: 1, to: 1, units: 60_000 });
  });
});
