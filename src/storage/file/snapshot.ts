/**
 * The format of `drawer.<e>.sqlite`, the whole state at the beginning of epoch e.
 *
 *   body | JSON trailer | u32 length of the JSON | u32 crc of the JSON | `LOOMSNAP`
 *
 * Plain, the body is the SQLite file itself (what follows it does not disturb SQLite), and the trailer holds a crc for
 * each 4 MiB of it. Sealed, the body is that file in pieces of 4 MiB, each sealed with its place.
 * INVARIANT: a snapshot gets its name when it is durable and was read back; what has the name and does not hold is bit rot.
 */
import { open, rename, type FileHandle } from 'node:fs/promises';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Position } from './chain.ts';
import { codeOf, readIfThere, syncFolder, tryRemove } from './disk.ts';
import type { Fault } from '#storage/fault.ts';
import { corrupt, fileFormat, newer } from './journal.ts';
import type { DataKey, Sealed } from '#storage/sealing/keySlots.ts';
import { snapshotFile } from './layout.ts';
import { fileSeal, sealOverhead } from '#storage/sealing/seal.ts';

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

const pieceLength = 4 * 2 ** 20;
const magic = Buffer.from('LOOMSNAP');
const tailLength = 8 + magic.length;

const parseTrailer = (epoch: number, json: Buffer, crc: number): SnapshotHeader => {
  if (crc32(json) !== crc) throw corrupt(`the trailer of snapshot ${epoch} is unreadable`);
  const header = JSON.parse(json.toString()) as SnapshotHeader;
  if (header.format > fileFormat) throw newer(`Snapshot ${epoch}`);
  if (header.epoch !== epoch) throw corrupt(`snapshot ${epoch} is a copy of snapshot ${header.epoch}`);
  return header;
};

/** What the trailer says, without reading the body; undefined where there is no such file. */
export const readSnapshotHeader = (folder: string, epoch: number): SnapshotHeader | undefined => {
  let file: number;
  try {
    file = openSync(snapshotFile(folder, epoch), 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const size = fstatSync(file).size;
    const readAt = (from: number, length: number): Buffer => {
      const bytes = Buffer.alloc(Math.max(0, length));
      return bytes.subarray(0, from < 0 ? 0 : readSync(file, bytes, 0, bytes.length, from));
    };
    const tail = readAt(size - tailLength, tailLength);
    if (tail.length < tailLength || !tail.subarray(8).equals(magic)) throw corrupt(`snapshot ${epoch} is cut off`);
    const length = tail.readUInt32LE(0);
    return parseTrailer(epoch, readAt(size - tailLength - length, length), tail.readUInt32LE(4));
  } finally {
    closeSync(file);
  }
};

const pieces = (bytes: number, piece: number): number => Math.ceil(bytes / piece);
const placeOf = ({ seq, chain, bytes }: SnapshotHeader, index: number): Buffer =>
  Buffer.from(`${seq} ${chain} ${bytes} ${index}`);

/** The SQLite file in snapshot `epoch`, proved whole. Throws `DRAWER_CORRUPT`. */
export const readSnapshot = (
  folder: string,
  header: SnapshotHeader,
  dataKey: ((sealed: Sealed) => Buffer) | undefined,
): Uint8Array => {
  const { epoch, bytes, piece, sealed, crcs = [] } = header;
  const file = readIfThere(snapshotFile(folder, epoch));
  if (file === undefined) throw corrupt(`snapshot ${epoch} is gone`);
  const count = pieces(bytes, piece);
  if (!sealed) {
    for (let index = 0; index < count; index++) {
      const part = file.subarray(index * piece, Math.min(bytes, (index + 1) * piece));
      if (crc32(part) !== crcs[index]) throw corrupt(`snapshot ${epoch} was changed near byte ${index * piece}`);
    }
    return file.subarray(0, bytes);
  }
  const seal = fileSeal(dataKey!(sealed), header.id, 'snapshot', epoch);
  const image = Buffer.allocUnsafe(bytes);
  for (let index = 0; index < count; index++) {
    const from = index * (piece + sealOverhead);
    const length = Math.min(piece, bytes - index * piece) + sealOverhead;
    try {
      seal.open(file.subarray(from, from + length), placeOf(header, index)).copy(image, index * piece);
    } catch {
      throw corrupt(`snapshot ${epoch} was changed near byte ${from}`);
    }
  }
  return image;
};

const writeWhole = async (file: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
};

/** The check value of the first `length` bytes of `file` as they read back. */
const readBack = async (file: FileHandle, length: number): Promise<number> => {
  const buffer = Buffer.allocUnsafe(pieceLength);
  let crc = 0;
  for (let at = 0; at < length;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - at), at);
    if (bytesRead === 0) break;
    crc = crc32(buffer.subarray(0, bytesRead), crc);
    at += bytesRead;
  }
  return crc;
};

export type SnapshotState = Position & { id: string; epoch: number; dataKey: DataKey | undefined; alone: boolean };

const trailer = (json: Buffer): Buffer => {
  const tail = Buffer.alloc(tailLength);
  tail.writeUInt32LE(json.length, 0);
  tail.writeUInt32LE(crc32(json), 4);
  magic.copy(tail, 8);
  return Buffer.concat([json, tail]);
};

const writeBody = async (
  file: FileHandle,
  state: SnapshotState,
  image: Uint8Array,
  fault: Fault,
): Promise<{ size: number; crc: number }> => {
  const { dataKey, alone, ...position } = state;
  const header: SnapshotHeader = {
    format: fileFormat,
    ...position,
    bytes: image.length,
    piece: pieceLength,
    ...(alone && { alone }),
  };
  const seal = dataKey && fileSeal(dataKey.key, state.id, 'snapshot', state.epoch);
  const crcs: number[] = [];
  let size = 0;
  let crc = 0;
  const put = async (bytes: Uint8Array): Promise<void> => {
    await writeWhole(file, bytes, size);
    size += bytes.length;
    crc = crc32(bytes, crc);
  };
  for (let index = 0; index < pieces(image.length, pieceLength); index++) {
    const part = image.subarray(index * pieceLength, (index + 1) * pieceLength);
    crcs.push(crc32(part));
    await put(seal ? seal.close(part, placeOf(header, index)) : part);
    fault('snapshot-piece');
  }
  const last = dataKey ? { ...header, sealed: dataKey.sealed } : { ...header, crcs };
  await put(trailer(Buffer.from(JSON.stringify(last))));
  return { size, crc };
};

/** Writes snapshot `state.epoch`, durable and read back; `mayName` is asked last before it gets its name. */
export const writeSnapshot = async (
  folder: string,
  state: SnapshotState,
  image: Uint8Array,
  fault: Fault,
  mayName: () => boolean,
): Promise<boolean> => {
  const name = snapshotFile(folder, state.epoch);
  const file = await open(`${name}.tmp`, 'w+', 0o600);
  try {
    const { size, crc } = await writeBody(file, state, image, fault);
    await file.sync();
    fault('snapshot-synced');
    // Nothing older is ever removed on the word of a write alone.
    if ((await readBack(file, size)) !== crc) throw corrupt(`snapshot ${state.epoch} did not read back as written`);
  } catch (error) {
    tryRemove(`${name}.tmp`);
    throw error;
  } finally {
    await file.close();
  }
  if (!mayName()) return false;
  fault('snapshot-before-rename');
  await rename(`${name}.tmp`, name);
  fault('snapshot-renamed');
  syncFolder(folder);
  return true;
};
