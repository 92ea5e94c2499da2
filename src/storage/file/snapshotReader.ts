/** Reads snapshots. INVARIANT: what a check value or a seal does not vouch for is told as such. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { LoomError } from '#base/errors.ts';
import type { Sealed } from '#storage/sealing/keySlots.ts';
import { fileSeal, sealOverhead } from '#storage/sealing/seal.ts';
import { readIfThere } from './disk.ts';
import { corrupt } from './journal.ts';
import { copyFile, snapshotFile } from './layout.ts';
import { findTrailer, isCorrupt, pieces, placeOf, tailLength, trailerOf, type SnapshotHeader } from './snapshot.ts';

/** What the trailer at the end of `name` says, without reading the body. */
const readTrailer = (epoch: number, name: string): SnapshotHeader => {
  const file = openSync(name, 'r');
  try {
    const { size } = fstatSync(file);
    const readEnd = (length: number): Buffer => {
      const bytes = Buffer.alloc(Math.min(size, length));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, size - bytes.length));
    };
    const tail = readEnd(tailLength);
    return trailerOf(epoch, tail.length < tailLength ? tail : readEnd(tailLength + tail.readUInt32LE(0)));
  } finally {
    closeSync(file);
  }
};

const namesOf = (folder: string, epoch: number): string[] =>
  [snapshotFile(folder, epoch), copyFile(folder, epoch)].filter((name) => existsSync(name));

/** What is said of snapshot `epoch`; undefined where there is no such file. */
export const readSnapshotHeader = (folder: string, epoch: number): SnapshotHeader | undefined => {
  let first: LoomError | undefined;
  for (const name of namesOf(folder, epoch)) {
    try {
      return readTrailer(epoch, name);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      first ??= error;
    }
    const file = readIfThere(name);
    try {
      if (file !== undefined) return findTrailer(epoch, file).header;
    } catch (error) {
      if (!isCorrupt(error)) throw error;
    }
  }
  if (first) throw first;
  return undefined;
};

/** A piece as it should be; undefined where it does not hold. */
type ReadPiece = (index: number) => Uint8Array | undefined;

const pieceReader = (
  file: Buffer,
  header: SnapshotHeader,
  dataKey: (sealed: Sealed) => Buffer,
): { read: ReadPiece; asItIs: ReadPiece } => {
  const { id, epoch, bytes, piece, sealed, crcs = [] } = header;
  const lengthOf = (index: number): number => Math.min(piece, bytes - index * piece);
  if (sealed) {
    const seal = fileSeal(dataKey(sealed), id, 'snapshot', epoch);
    const read: ReadPiece = (index) => {
      const from = index * (piece + sealOverhead);
      try {
        return seal.open(file.subarray(from, from + lengthOf(index) + sealOverhead), placeOf(header, index));
      } catch {
        return undefined;
      }
    };
    // Nobody vouches for what such a piece would open to.
    return { read, asItIs: () => undefined };
  }
  const asItIs = (index: number): Uint8Array => file.subarray(index * piece, index * piece + lengthOf(index));
  return { read: (index) => (crc32(asItIs(index)) === crcs[index] ? asItIs(index) : undefined), asItIs };
};

/** A snapshot's file as it was found. */
export type FoundSnapshot = {
  header: SnapshotHeader;
  /** The SQLite file. A piece that does not hold is in it as it is where the file is plain, else as zeros. */
  image: Uint8Array;
  /** Numbers of the pieces that do not hold. */
  bad: readonly number[];
  /** The trailer's other copy had to serve. */
  mended: boolean;
};

type Open = { file: Buffer; found: FoundSnapshot; read: ReadPiece };

const openFile = (epoch: number, name: string, dataKey: (sealed: Sealed) => Buffer): Open => {
  const file = readIfThere(name);
  if (file === undefined) throw corrupt(`snapshot ${epoch} is gone`);
  const { header, mended } = findTrailer(epoch, file);
  const { read, asItIs } = pieceReader(file, header, dataKey);
  const { bytes, piece, sealed } = header;
  const image = sealed ? Buffer.alloc(bytes) : file.subarray(0, bytes);
  const bad: number[] = [];
  for (let index = 0; index < pieces(header); index++) {
    const whole = read(index);
    if (whole === undefined) bad.push(index);
    const part = whole ?? asItIs(index);
    if (sealed && part) image.set(part, index * piece);
  }
  return { file, found: { header, image, bad, mended }, read };
};

/** One file of snapshot `epoch`, by itself. Throws `DRAWER_CORRUPT` where it says nothing of itself. */
export const readSnapshotFile = (epoch: number, name: string, dataKey: (sealed: Sealed) => Buffer): FoundSnapshot =>
  openFile(epoch, name, dataKey).found;

const isSameState = (one: SnapshotHeader, other: SnapshotHeader): boolean =>
  one.seq === other.seq && one.chain === other.chain && one.bytes === other.bytes && one.piece === other.piece;

/** Snapshot `epoch`, each piece from whichever of its two files holds it. Throws where neither says what it is. */
export const readSnapshot = (folder: string, epoch: number, dataKey: (sealed: Sealed) => Buffer): FoundSnapshot => {
  const errors: LoomError[] = [];
  let best: FoundSnapshot | undefined;
  for (const name of namesOf(folder, epoch)) {
    try {
      const { found, read } = openFile(epoch, name, dataKey);
      if (best === undefined) best = found;
      else if (isSameState(best.header, found.header)) {
        const { header, bad, image } = best;
        const mendedImage = Buffer.from(image);
        const still = bad.filter((index) => {
          const piece = read(index);
          if (piece) mendedImage.set(piece, index * header.piece);
          return piece === undefined;
        });
        best = { header, image: mendedImage, bad: still, mended: true };
      }
      if (best.bad.length === 0) return errors.length > 0 ? { ...best, mended: true } : best;
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      errors.push(error);
    }
  }
  if (best) return best;
  throw errors[0] ?? Object.assign(new Error(`snapshot ${epoch} is gone`), { code: 'ENOENT' });
};
