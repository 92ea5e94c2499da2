/** Writes snapshots. INVARIANT: a snapshot gets its name when it is durable and was read back. */
import { open, rename, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Fault } from '#storage/fault.ts';
import type { DataKey } from '#storage/sealing/keySlots.ts';
import { fileSeal } from '#storage/sealing/seal.ts';
import type { Position } from './chain.ts';
import { syncFolder, tryRemove } from './disk.ts';
import { corrupt, fileFormat } from './journal.ts';
import { encodeTrailer, pieceLength, placeOf, type SnapshotHeader } from './snapshot.ts';

/** Bytes of the body that are written in one go. */
const stretchLength = 4 * 2 ** 20;

const writeWhole = async (file: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
};

/** The check value of the first `length` bytes of `file` as they read back. */
const readBack = async (file: FileHandle, length: number): Promise<number> => {
  const buffer = Buffer.allocUnsafe(stretchLength);
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
  for (let from = 0; from < image.length; from += stretchLength) {
    const stretch = image.subarray(from, from + stretchLength);
    const sealed: Buffer[] = [];
    for (let at = 0; at < stretch.length; at += pieceLength) {
      const part = stretch.subarray(at, at + pieceLength);
      if (seal) sealed.push(seal.close(part, placeOf(header, (from + at) / pieceLength)));
      else crcs.push(crc32(part));
    }
    await put(seal ? Buffer.concat(sealed) : stretch);
    fault('snapshot-piece');
  }
  await put(encodeTrailer(dataKey ? { ...header, sealed: dataKey.sealed } : { ...header, crcs }));
  return { size, crc };
};

/** Writes snapshot `state.epoch` as `name`, durable and read back; `mayName` is asked last before it gets its name. */
export const writeSnapshot = async (
  folder: string,
  name: string,
  state: SnapshotState,
  image: Uint8Array,
  fault: Fault,
  mayName: () => boolean,
): Promise<boolean> => {
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
