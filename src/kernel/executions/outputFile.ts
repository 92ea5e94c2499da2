// The file of one execution's output: sealed frames, one after the other, and beside it the end of an output over its limit.
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Entry } from '#kernel/output/entry.ts';
import { openFrame, openFrames, sealFrame } from './seal.ts';

/** Bytes of a disk that outputs leave free: the numbers and records of cells need them. */
const spareBytes = 1024 * 1024;
/** Bytes of the number before the one frame of an end. */
const numberBytes = 8;
const nothing = new Uint8Array();

const endOf = (path: string): string => `${path}.end`;

export const parseEntries = (text: string): Entry[] =>
  text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Entry);

const removeFiles = (files: readonly string[]): void => {
  for (const file of files) {
    try {
      rmSync(file, { force: true });
    } catch {
      // It is held open, or the disk takes no change: it is collected later.
    }
  }
};

const readIfThere = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return Buffer.alloc(0);
    throw error;
  }
};

/** What a reader makes of so many bytes of a file that are damaged, and how many of them there were. */
export type Damage = { gap: (bytes: number) => Entry; bytes: number };

const readFrames = function* (path: string, key: Uint8Array, damage: Damage): Generator<Entry, number> {
  const frames = openFrames(key, readIfThere(path));
  for (;;) {
    const { done, value } = frames.next();
    if (done) return value;
    if (typeof value === 'number') {
      damage.bytes += value;
      yield damage.gap(value);
    } else yield* parseEntries(value.toString('utf8'));
  }
};

/**
 * The entries of an output's files, in order; a frame that is damaged costs no other. Answers how many bytes are whole from
 * the beginning to the end, without those that `damage` was told of.
 */
export const readEntries = function* (path: string, key: Uint8Array, damage: Damage): Generator<Entry, number> {
  const bytes = (yield* readFrames(path, key, damage)) - damage.bytes;
  const end = readIfThere(endOf(path));
  if (end.length < numberBytes) return bytes;
  const frame = openFrame(key, end, numberBytes, Number(end.readBigUInt64BE()), 'end');
  yield* parseEntries(frame?.plain.toString('utf8') ?? '');
  return bytes + (frame?.next ?? 0);
};

const kindOf: { [stream: string]: string } = {
  stdout: 'stdout',
  stderr: 'stderr',
  result: 'result',
  traceback: 'error',
};

/** Stands for entries that were lost to damage, of an output whose streams have so many lines. */
export const damagedGap =
  (totalLines: { [stream: string]: number }) =>
  (bytes: number): Entry => {
    const of = Object.keys(totalLines).flatMap((stream) => kindOf[stream] ?? []);
    const kinds = of.length > 0 ? { of, within: of } : {};
    return { kind: 'gap', bytes, totalLines, ...kinds, damaged: true };
  };

/** The name in the record whose output a file of this name belongs to. */
export const ownerOf = (name: string): string => name.replace(/\.end(\.tmp)?$/, '');

/** All files that an output may have. */
export const filesOf = (path: string): string[] => [path, endOf(path), `${endOf(path)}.tmp`];

/** Removes an output's files, as far as that is possible. */
export const removeOutput = (path: string): void => removeFiles(filesOf(path));

/** A disk that is nearly full takes no output, so that it takes what is small and must be kept. */
const leaveRoom = (folder: string, bytes: number): void => {
  let room = Number.POSITIVE_INFINITY;
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    // A file system that has no blocks does not tell.
    if (blocks > 0) room = bavail * bsize;
  } catch {
    // Writing will tell.
  }
  if (room < bytes + spareBytes) throw new Error('ENOSPC: no space left on device');
};

const writeAll = (descriptor: number, bytes: Uint8Array, position: number): void => {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at, bytes.length - at, position + at);
};

const closeQuietly = (descriptor: number): void => {
  try {
    closeSync(descriptor);
  } catch {
    // What it says of earlier writes, the sync before it has said.
  }
};

/** Sealed under a key that stands in the drawer alone: where the drawer is sealed, so are its outputs. */
export class OutputFile {
  readonly #path: string;
  readonly #key: Uint8Array;
  #descriptor: number | undefined;
  #frames = 0;
  /** Numbers of frames that were sealed and are not in the file. */
  #burnt = 0;
  #bytes = 0;
  #ends = 0;
  #endBytes = 0;
  #synced = true;
  #fault: unknown;

  constructor(path: string, key: Uint8Array) {
    this.#path = path;
    this.#key = key;
  }

  /** On disk, so far as writing told. */
  get bytes(): number {
    return this.#bytes + this.#endBytes;
  }

  /** Adds a frame. Throws where the disk does not take it; the file is then as it was. */
  append(plain: Uint8Array): void {
    const descriptor = this.#open(plain.length);
    // Empty frames take the numbers that were burnt.
    const burnt = Array.from({ length: this.#burnt }, (_, n) => sealFrame(this.#key, this.#frames + n, nothing));
    const count = burnt.length + 1;
    const bytes = Buffer.concat([...burnt, sealFrame(this.#key, this.#frames + burnt.length, plain)]);
    this.#synced = false;
    try {
      writeAll(descriptor, bytes, this.#bytes);
    } catch (error) {
      this.#burnt = count;
      ftruncateSync(descriptor, this.#bytes);
      throw error;
    }
    this.#frames += count;
    this.#burnt = 0;
    this.#bytes += bytes.length;
  }

  /** Puts the end of the output in the place of the one before. Throws where the disk does not take it. */
  replaceEnd(plain: Uint8Array): void {
    this.#open(plain.length);
    const number = Buffer.alloc(numberBytes);
    number.writeBigUInt64BE(BigInt(this.#ends));
    const bytes = Buffer.concat([number, sealFrame(this.#key, this.#ends++, plain, 'end')]);
    const temporary = `${endOf(this.#path)}.tmp`;
    const descriptor = openSync(temporary, 'w', 0o600);
    try {
      writeAll(descriptor, bytes, 0);
      fdatasyncSync(descriptor);
    } catch (error) {
      removeFiles([temporary]);
      throw error;
    } finally {
      closeQuietly(descriptor);
    }
    renameSync(temporary, endOf(this.#path));
    this.#endBytes = bytes.length;
  }

  removeEnd(): void {
    removeFiles([endOf(this.#path)]);
    this.#endBytes = 0;
  }

  /** Makes durable what was added. Where that failed once nobody knows what is on disk, so it throws ever after. */
  sync(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#synced || this.#descriptor === undefined) return;
    try {
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      this.#fault = error;
      throw error;
    }
    this.#synced = true;
  }

  /** The entries in it, without those of the end. */
  entries(): Iterable<Entry> {
    return readFrames(this.#path, this.#key, { gap: damagedGap({}), bytes: 0 });
  }

  remove(): void {
    this.close();
    removeOutput(this.#path);
    this.#burnt += this.#frames;
    this.#frames = this.#bytes = this.#endBytes = 0;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeQuietly(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(bytes: number): number {
    const folder = dirname(this.#path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    leaveRoom(folder, bytes);
    return (this.#descriptor ??= openSync(this.#path, this.#bytes === 0 ? 'w' : 'r+', 0o600));
  }
}
