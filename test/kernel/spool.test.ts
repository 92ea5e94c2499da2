// What a spool keeps where the output is over its limit, the disk refuses, or the program is killed at any moment.
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { damagedGap, OutputFile, parseEntries, readEntries } from '#kernel/executions/outputFile.ts';
import { Spool } from '#kernel/executions/spool.ts';
import type { Entry } from '#kernel/output/entry.ts';
import { Output } from '#kernel/output/output.ts';
import type { Missing } from '#kernel/types.ts';

/** A file on a disk that a test can fill. */
class Disk extends OutputFile {
  full = false;
  override append(plain: Uint8Array): void {
    this.#refuse();
    super.append(plain);
  }
  override replaceEnd(plain: Uint8Array): void {
    this.#refuse();
    super.replaceEnd(plain);
  }
  #refuse(): void {
    if (this.full) throw new Error('ENOSPC: no space left on device, write');
  }
}

const opened = (limit: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-spool-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [path, key] = [join(folder, 'x.output'), randomBytes(32)];
  const disk = new Disk(path, key);
  const spool = new Spool(disk, limit);
  onTestFinished(() => spool.close());
  const live = new Output(1, 2 ** 30);
  let n = 0;
  /** Prints lines in chunks that end anywhere. */
  const print = (lines: number, chunk = 997): void => {
    const text = Array.from({ length: lines }, () => `line ${++n}\n`).join('');
    for (let at = 0; at < text.length; at += chunk) {
      const entry: Entry = { kind: 'stdout', text: text.slice(at, at + chunk) };
      live.add(entry);
      spool.add(entry);
    }
  };
  const outputOf = (entries: Iterable<Entry>) => {
    const output = new Output(1, 2 ** 30);
    for (const entry of entries) output.add(entry);
    output.complete();
    return output.stream('combined');
  };
  return {
    folder,
    path,
    disk,
    spool,
    print,
    printed: () => n,
    totals: () => live.totalLines,
    /** What another program reads. */
    onDisk: (record = '', streams = {}) =>
      outputOf([...readEntries(path, key, { gap: damagedGap(streams), bytes: 0 }), ...parseEntries(record)]),
    inMemory: () => outputOf(spool.entries(live.totalLines)),
  };
};

type Stream = ReturnType<ReturnType<typeof opened>['onDisk']>;

/** Each line has its own number, but for one that a gap begins in; `missing` and those that are kept are all. */
const isTrue = (stream: Stream, total: number): Missing => {
  const { missing } = stream;
  expect(stream.totalLines).toBe(total);
  const kept = [...stream.lines()].filter(([n]) => missing === undefined || n < missing.from || n > missing.to);
  expect(kept.find(([n, line]) => line !== `line ${n}`)).toBeUndefined();
  expect(kept.length + (missing ? missing.to - missing.from + 1 : 0)).toBe(total);
  return missing as Missing;
};

test.each([
  ['small', 10],
  ['in several batches', 100_000],
  ['over the limit', 300_000],
])('what was flushed is on disk, whatever comes after: %s', (_, lines) => {
  const { print, spool, totals, onDisk } = opened(2_000_000);
  print(lines);
  spool.flush(totals());
  const before = onDisk();
  isTrue(before, lines);
  const last = [...before.lines()].at(-1);
  expect(last).toEqual([lines, `line ${lines}`]);
  print(7);
  expect([...onDisk().lines()].at(-1)).toEqual(last);
  expect(spool.trouble).toBeUndefined();
});

test('an end is replaced whole: over the limit a file grows no more', () => {
  const { print, spool, totals, onDisk, folder, path } = opened(200_000);
  print(40_000);
  spool.flush(totals());
  const { size } = statSync(path);
  for (let round = 0; round < 5; round++) {
    print(10_000);
    spool.flush(totals());
    isTrue(onDisk(), 40_000 + (round + 1) * 10_000);
  }
  expect(statSync(path).size).toBe(size);
  expect(readdirSync(folder)).toEqual(['x.output', 'x.output.end']);
  expect(spool.finish(totals())).toMatchObject({ entries: undefined, unsure: undefined });
  isTrue(onDisk(), 90_000);
});

test('what is small lies in the record alone at its end, and in a file again if it grows', () => {
  const { print, spool, totals, onDisk, path } = opened(2_000_000);
  print(5);
  spool.flush(totals());
  expect(existsSync(path)).toBe(true);
  const { entries, bytes } = spool.finish(totals());
  spool.saved();
  expect([existsSync(path), bytes]).toEqual([false, 0]);
  isTrue(onDisk(entries), 5);
  print(20_000);
  expect(spool.finish(totals()).entries).toBeUndefined();
  isTrue(onDisk(), 20_005);
});

test('a disk that refuses for a while costs nothing', () => {
  const { disk, print, spool, totals, onDisk, printed } = opened(4_000_000);
  print(50_000);
  disk.full = true;
  print(40_000);
  spool.flush(totals());
  expect(spool.trouble).toBe('ENOSPC: no space left on device');
  disk.full = false;
  print(1);
  spool.flush(totals());
  expect(spool.trouble).toBeUndefined();
  expect(isTrue(onDisk(), printed())).toBeUndefined();
});

test('a disk that refuses for long leaves a gap with its reason; what comes when it takes again is kept', () => {
  const { disk, print, spool, totals, onDisk, inMemory } = opened(4_000_000);
  print(50_000);
  disk.full = true;
  print(150_000);
  isTrue(inMemory(), 200_000);
  disk.full = false;
  print(10_000);
  expect(spool.finish(totals())).toMatchObject({ entries: undefined, unsure: undefined });
  const missing = isTrue(onDisk(), 210_000);
  expect(missing.why).toBe('could not be written (ENOSPC: no space left on device)');
  expect(missing.from).toBeGreaterThan(10_000);
  expect(missing.to).toBeLessThan(200_000);
  expect(isTrue(inMemory(), 210_000)).toEqual(missing);
});

test.each([
  ['from the beginning', 0, 2_000_000, 997],
  ['in one piece', 0, 2_000_000, 10_000_000],
  ['later', 50_000, 2_000_000, 997],
  ['over the limit, with an older end', 150_000, 1_000_000, 997],
])('a disk that refuses to the end leaves the newest in the record: %s', (_, before, limit, chunk) => {
  const { disk, print, spool, totals, onDisk, inMemory, printed } = opened(limit);
  print(before);
  spool.flush(totals());
  disk.full = true;
  print(60_000, chunk);
  const { entries = '', bytes } = spool.finish(totals());
  expect(entries.length).toBeLessThan(70_000);
  expect(bytes > 0).toBe(before > 0);
  const missing = isTrue(onDisk(entries), printed());
  expect(missing.to).toBeLessThan(printed());
  expect(isTrue(inMemory(), printed())).toEqual(missing);
});

test('a file that is damaged gives the lines before that, and no fault', () => {
  const { print, spool, totals, onDisk, path } = opened(2_000_000);
  for (let frame = 0; frame < 4; frame++) {
    print(3);
    spool.flush(totals());
  }
  const bytes = readFileSync(path);
  bytes[bytes.length - 30]! ^= 1;
  writeFileSync(path, bytes);
  expect([...onDisk().lines()].map(([n]) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a frame that is damaged costs no other, and the lines behind it keep their numbers', () => {
  const { print, spool, totals, onDisk, path } = opened(2_000_000);
  const ends = Array.from({ length: 4 }, () => {
    print(3);
    spool.flush(totals());
    return statSync(path).size;
  });
  const bytes = readFileSync(path);
  // In its content, and in its length.
  for (const at of [ends[0]! + 40, ends[0]! + 1]) {
    writeFileSync(path, Buffer.from(bytes).fill(bytes[at]! ^ 64, at, at + 1));
    const stream = onDisk('', totals());
    expect([...stream.lines()]).toEqual([1, 2, 3, 8, 9, 10, 11, 12].map((n) => [n, `line ${n}`]));
    // Nobody knows whether the lost frame ended with a line: the first behind it is not believed to be whole.
    expect(stream.missing).toMatchObject({ from: 4, to: 7, why: 'were lost to damage on disk' });
  }
});

test('a file that is cut anywhere gives the lines before, and no fault', () => {
  const { print, spool, totals, onDisk, path } = opened(2_000_000);
  for (let frame = 0; frame < 4; frame++) {
    print(3);
    spool.flush(totals());
  }
  for (let { size } = statSync(path); size >= 0; size--) {
    truncateSync(path, size);
    const lines = [...onDisk().lines()];
    expect(lines.length % 3).toBe(0);
    for (const [n, line] of lines) expect(line).toBe(`line ${n}`);
  }
});
