/**
 * The format of `drawer.<e>.sqlite`, the whole state at the beginning of epoch e, and of `drawer.<e>.copy`, the same again.
 *
 *   body | trailer | trailer        trailer: JSON | u32 length of the JSON | u32 crc of the JSON | `LOOMSNAP`
 *
 * Plain, the body is the SQLite file itself (what follows it does not disturb SQLite), and the trailer holds a crc for
 * each piece of it. Sealed, the body is that file in pieces, each sealed with its place. A piece is as long as a page of
 * SQLite: what is changed in one costs no other. (In format 1 a piece has 4 MiB, and the trailer stands once.)
 * INVARIANT: a snapshot gets its name when it is durable and was read back; what has the name and does not hold is bit rot.
 */
import { crc32 } from 'node:zlib';
import { LoomError } from '#base/errors.ts';
import type { Sealed } from '#storage/sealing/keySlots.ts';
import { sealOverhead } from '#storage/sealing/seal.ts';
import type { Position } from './chain.ts';
import { corrupt, fileFormat, newer } from './journal.ts';

export type SnapshotHeader = Position & {
  format: number;
  id: string;
  epoch: number;
  /** Length of the SQLite file. */
  bytes: number;
  /** Length of a piece of it. */
  piece: number;
  /** One for each piece of a plain body. */
  crcs?: readonly number[];
  sealed?: Sealed;
  /** What is older must go: it holds what was purged, or is sealed in another way. */
  alone?: true;
};

export const pieceLength = 4096;
const magic = Buffer.from('LOOMSNAP');
export const tailLength = 8 + magic.length;

export const isCorrupt = (error: unknown): error is LoomError =>
  error instanceof LoomError && error.code === 'DRAWER_CORRUPT';

/** The trailer that ends where `bytes` do. */
export const trailerOf = (epoch: number, bytes: Buffer): SnapshotHeader => {
  const tail = bytes.subarray(-tailLength);
  if (tail.length < tailLength || !tail.subarray(8).equals(magic)) throw corrupt(`snapshot ${epoch} is cut off`);
  const json = bytes.subarray(Math.max(0, bytes.length - tailLength - tail.readUInt32LE(0)), -tailLength);
  if (json.length !== tail.readUInt32LE(0) || crc32(json) !== tail.readUInt32LE(4))
    throw corrupt(`the trailer of snapshot ${epoch} is unreadable`);
  const header = JSON.parse(json.toString()) as SnapshotHeader;
  if (header.format > fileFormat) throw newer(`Snapshot ${epoch}`);
  if (header.epoch !== epoch) throw corrupt(`snapshot ${epoch} is a copy of snapshot ${header.epoch}`);
  return header;
};

/** The last trailer of a file that holds. `mended`: one of its copies does not. */
export const findTrailer = (epoch: number, file: Buffer): { header: SnapshotHeader; mended: boolean } => {
  let first: LoomError | undefined;
  for (let end = file.length; end >= tailLength;) {
    try {
      const header = trailerOf(epoch, file.subarray(0, end));
      return {
        header,
        mended: first !== undefined || (header.format > 1 && !isTwice(file.subarray(bodyLength(header)))),
      };
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      first ??= error;
    }
    end = file.lastIndexOf(magic, end - magic.length - 1) + magic.length;
  }
  throw first ?? corrupt(`snapshot ${epoch} is cut off`);
};

const isTwice = (bytes: Buffer): boolean =>
  bytes.subarray(bytes.length / 2).equals(bytes.subarray(0, bytes.length / 2));

export const pieces = ({ bytes, piece }: SnapshotHeader): number => Math.ceil(bytes / piece);
const bodyLength = (header: SnapshotHeader): number =>
  header.bytes + (header.sealed ? pieces(header) * sealOverhead : 0);

export const placeOf = ({ seq, chain, bytes }: SnapshotHeader, index: number): Buffer =>
  Buffer.from(`${seq} ${chain} ${bytes} ${index}`);

/** A trailer, twice. */
export const encodeTrailer = (header: SnapshotHeader): Buffer => {
  const json = Buffer.from(JSON.stringify(header));
  const tail = Buffer.alloc(tailLength);
  tail.writeUInt32LE(json.length, 0);
  tail.writeUInt32LE(crc32(json), 4);
  magic.copy(tail, 8);
  return Buffer.concat([json, tail, json, tail]);
};
