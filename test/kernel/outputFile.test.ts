// Writes of an output that fail half-way.
import { randomBytes } from 'node:crypto';
import type fs from 'node:fs';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { damagedGap, OutputFile, readEntries } from '#kernel/executions/outputFile.ts';
import type * as seal from '#kernel/executions/seal.ts';
import type { Entry } from '#kernel/output/entry.ts';
import { random } from '../drawer/random.ts';

const disk = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY, syncs: true, blocks: 1_000_000 }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const writeSync = (descriptor: number, bytes: Uint8Array, at: number, length: number, position: number): number => {
    if (disk.room === 0) throw new Error('ENOSPC: no space left on device, write');
    const written = real.writeSync(descriptor, bytes, at, Math.min(length, disk.room), position);
    disk.room -= written;
    return written;
  };
  const fdatasyncSync = (descriptor: number): void => {
    if (!disk.syncs) throw new Error('EIO: i/o error, fdatasync');
    real.fdatasyncSync(descriptor);
  };
  const statfsSync = () => ({ blocks: 1_000_000, bavail: disk.blocks, bsize: 4_096 });
  return { ...real, writeSync, fdatasyncSync, statfsSync };
});
beforeEach(() => {
  Object.assign(disk, { room: Number.POSITIVE_INFINITY, syncs: true, blocks: 1_000_000 });
});

/** What was sealed under each number, but for the nothing that fills the place of what was cut off. */
const sealed = vi.hoisted(() => new Map<string, Set<string>>());
vi.mock('#kernel/executions/seal.ts', async (original) => {
  const real = await original<typeof seal>();
  const sealFrame: typeof seal.sealFrame = (key, n, plain, kind) => {
    const number = `${Buffer.from(key).toString('hex')} ${kind} ${n}`;
    if (plain.length > 0) sealed.set(number, (sealed.get(number) ?? new Set()).add(Buffer.from(plain).toString('hex')));
    return real.sealFrame(key, n, plain, kind);
  };
  return { ...real, sealFrame };
});
afterEach(() => {
  for (const contents of sealed.values()) expect(contents.size).toBe(1);
});

const entry = (text: string): Buffer => Buffer.from(`${JSON.stringify({ kind: 'stdout', text } satisfies Entry)}\n`);

const opened = () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [path, key] = [join(folder, 'x.output'), randomBytes(32)];
  const file = new OutputFile(path, key);
  onTestFinished(() => file.close());
  const texts = (): string[] =>
    [...readEntries(path, key, { gap: damagedGap({}), bytes: 0 })].map((one) => ('text' in one ? one.text : one.kind));
  return { file, path, texts };
};

test('what was cut off is not in the file, and what follows is', () => {
  const { file, path, texts } = opened();
  file.append(entry('first'));
  for (const room of [30, 0, 50]) {
    disk.room = room;
    expect(() => file.append(entry('refused'))).toThrow('ENOSPC');
    expect(texts()).toEqual(['first']);
    expect(statSync(path).size).toBe(file.bytes);
  }
  disk.room = Number.POSITIVE_INFINITY;
  file.append(entry('second'));
  file.append(entry('third'));
  expect(texts()).toEqual(['first', 'second', 'third']);
});

test('an end that could not be replaced is the one before', () => {
  const { file, texts } = opened();
  file.append(entry('begin'));
  file.replaceEnd(entry('old'));
  disk.room = 40;
  expect(() => file.replaceEnd(entry('new'))).toThrow('ENOSPC');
  expect(texts()).toEqual(['begin', 'old']);
  disk.room = Number.POSITIVE_INFINITY;
  file.replaceEnd(entry('new'));
  expect(texts()).toEqual(['begin', 'new']);
});

test('the last megabyte of a disk is left free', () => {
  const { file, texts } = opened();
  disk.blocks = 256;
  expect(() => file.append(entry('refused'))).toThrow('ENOSPC: no space left on device');
  disk.blocks = 257;
  file.append(entry('taken'));
  expect(texts()).toEqual(['taken']);
});

test('after a sync that failed nobody says that it is on disk', () => {
  const { file } = opened();
  file.append(entry('x'));
  disk.syncs = false;
  expect(() => file.sync()).toThrow('EIO');
  disk.syncs = true;
  expect(() => file.sync()).toThrow('EIO');
});

test('a file that was removed begins anew, and no number seals twice', () => {
  const { file, texts } = opened();
  file.append(entry('first'));
  file.remove();
  expect(texts()).toEqual([]);
  file.append(entry('second'));
  expect(texts()).toEqual(['second']);
});

test('a flipped byte costs its frame: all others come back, and a gap stands in its place', () => {
  const { file, path, texts } = opened();
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n} ${'x'.repeat(n * 7)}\n`);
  const starts = lines.map((line) => {
    const at = file.bytes;
    file.append(entry(line));
    return at;
  });
  const whole = readFileSync(path);
  const { below } = random(7);
  for (let count = 0; count < 200; count++) {
    const at = below(whole.length);
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 1 + below(255);
    writeFileSync(path, bytes);
    const hit = starts.findLastIndex((start) => start <= at);
    // Behind the last one there is nothing that says that it was there; the record does.
    const stands = hit === lines.length - 1 ? [] : ['gap'];
    expect(texts()).toEqual([...lines.slice(0, hit), ...stands, ...lines.slice(hit + 1)]);
  }
});
