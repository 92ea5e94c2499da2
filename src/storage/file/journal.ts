/**
 * The format of `drawer.<e>.log`, what the owner of epoch e committed.
 *
 *   header  `LOOMLOG1` | u32 length | JSON | u32 crc of all before
 *   record  u32 magic | u32 payload length | u64 first seq | u32 chain before | u32 crc of the payload | u32 crc of these
 *           (the record's chain value) | payload: packed entries, sealed where the header says so
 *
 * INVARIANTS
 * 1. One record is one group commit: only the last record of the last log may be incomplete.
 * 2. Every record carries the chain value of the one before, and the header that of the log before: what stands between
 *    two links of the chain was neither changed, nor left out, nor put in.
 * 3. The header says where the log before *ends* for ever: what a superseded owner still wrote behind that is no part.
 */
import { crc32 } from 'node:zlib';
import { LoomError } from '#base/errors.ts';
import type { SqlValue } from '#base/tx.ts';
import type { Position } from './chain.ts';
import { pack, unpack } from './codec.ts';
import type { Sealed } from '#storage/sealing/keySlots.ts';
import type { Seal } from '#storage/sealing/seal.ts';

/** Of logs and snapshots. A newer one is refused. */
export const fileFormat = 1;

export type LogHeader = Position & {
  format: number;
  /** The drawer's. */
  id: string;
  epoch: number;
  /** Epoch of the log before this one, else of the snapshot, else 0. `seq` and `chain` say where that one ends. */
  before: number;
  sealed?: Sealed;
};

/** A statement as it ran, and how many rows it changed: a replay that changes another number is no replay. */
export type Statement = readonly [sql: string, params: readonly SqlValue[], rows: number];
/** One write. */
export type Entry = {
  statements: readonly Statement[];
  /** The request's key and packed result, where there is one: found again when the request is sent again. */
  key?: string;
  result?: Uint8Array;
};

export const corrupt = (what: string): LoomError => new LoomError('DRAWER_CORRUPT', `The drawer is damaged: ${what}.`);
export const newer = (what: string): LoomError =>
  new LoomError('DRAWER_NEWER', `${what} was written by a newer version of Loom. Update Loom, or reload the window.`);

const magic = Buffer.from('LOOMLOG1');
const recordMagic = 0x31434552; // "REC1"
const recordHead = 28;

export const encodeHeader = (header: LogHeader): Buffer => {
  const json = Buffer.from(JSON.stringify(header));
  const bytes = Buffer.alloc(magic.length + 4 + json.length + 4);
  magic.copy(bytes);
  bytes.writeUInt32LE(json.length, 8);
  json.copy(bytes, 12);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
};

/** The header of log `epoch` and where its records begin. It was created whole, so that a bad one is damage. */
export const decodeHeader = (bytes: Buffer, epoch: number): { header: LogHeader; start: number } => {
  const length = bytes.length < 16 ? Infinity : bytes.readUInt32LE(8);
  const end = 12 + length;
  const whole = end + 4 <= bytes.length && bytes.subarray(0, 8).equals(magic);
  if (!whole || crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end))
    throw corrupt(`the header of journal ${epoch} is unreadable`);
  const header = JSON.parse(bytes.toString('utf8', 12, end)) as LogHeader;
  if (header.format > fileFormat) throw newer(`Journal ${epoch}`);
  if (header.epoch !== epoch) throw corrupt(`journal ${epoch} is a copy of journal ${header.epoch}`);
  return { header, start: end + 4 };
};

/** The parts of a record's head that a sealed payload is bound to: all but its length and the check values. */
const placeOf = (head: Buffer): Buffer => Buffer.concat([head.subarray(0, 4), head.subarray(8, 20)]);

export const encodeRecord = (
  first: number,
  chain: number,
  entries: readonly Entry[],
  seal: Seal | undefined,
): { bytes: Buffer; chain: number } => {
  const head = Buffer.alloc(recordHead);
  head.writeUInt32LE(recordMagic, 0);
  head.writeBigUInt64LE(BigInt(first), 8);
  head.writeUInt32LE(chain, 16);
  const plain = pack(entries);
  const payload = seal ? seal.close(plain, placeOf(head)) : plain;
  head.writeUInt32LE(payload.length, 4);
  head.writeUInt32LE(crc32(payload), 20);
  const own = crc32(head.subarray(0, 24));
  head.writeUInt32LE(own, 24);
  return { bytes: Buffer.concat([head, payload]), chain: own };
};

const headAt = (bytes: Buffer, at: number): Buffer | undefined => {
  if (at + recordHead > bytes.length || bytes.readUInt32LE(at) !== recordMagic) return undefined;
  const head = bytes.subarray(at, at + recordHead);
  if (crc32(head.subarray(0, 24)) !== head.readUInt32LE(24)) return undefined;
  return at + recordHead + head.readUInt32LE(4) <= bytes.length ? head : undefined;
};

const recordAt = (bytes: Buffer, at: number): { head: Buffer; payload: Buffer; end: number } | undefined => {
  const head = headAt(bytes, at);
  if (head === undefined) return undefined;
  const end = at + recordHead + head.readUInt32LE(4);
  const payload = bytes.subarray(at + recordHead, end);
  return crc32(payload) === head.readUInt32LE(20) ? { head, payload, end } : undefined;
};

const nextRecord = (bytes: Buffer, from: number): number | undefined => {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(recordMagic);
  for (let at = bytes.indexOf(mark, from); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    if (recordAt(bytes, at)) return at;
  }
  return undefined;
};

export type ReadRecord = Position & {
  /** Of the first entry; `seq` is the last one's. */
  first: number;
  entries: readonly Entry[];
};

/** How a log ends: cleanly, or with `bytes` that are no whole record and behind which there is none. */
export type LogEnd = { at: number; torn: number };

/**
 * The records of one log from `start` on, up to the position `until` where the next log says that this one ends; without
 * it up to the last whole record. Throws `DRAWER_CORRUPT` at what cannot be the end of a write that was cut short.
 */
export function* readRecords(
  bytes: Buffer,
  { header, start }: { header: LogHeader; start: number },
  seal: Seal | undefined,
  until: Position | undefined,
): Generator<ReadRecord, LogEnd> {
  const name = `journal ${header.epoch}`;
  let { seq, chain } = header;
  let at = start;
  while (at < bytes.length && !(until && seq === until.seq)) {
    const record = recordAt(bytes, at);
    if (record === undefined) {
      const next = nextRecord(bytes, at + 1);
      if (next !== undefined) throw corrupt(`${name} is unreadable from byte ${at} to ${next}`);
      break;
    }
    const first = Number(record.head.readBigUInt64LE(8));
    if (first !== seq + 1 || record.head.readUInt32LE(16) !== chain)
      throw corrupt(`${name} does not go on at byte ${at} where it stopped before`);
    const entries = unpack(opened(record, seal, `${name} at byte ${at}`)) as Entry[];
    seq += entries.length;
    chain = record.head.readUInt32LE(24);
    at = record.end;
    yield { first, entries, seq, chain };
  }
  if (until && (seq !== until.seq || chain !== until.chain))
    throw corrupt(`${name} ends at write ${seq}, and the next one begins after ${until.seq}`);
  return { at, torn: until ? 0 : bytes.length - at };
}

const opened = (
  { head, payload }: { head: Buffer; payload: Buffer },
  seal: Seal | undefined,
  where: string,
): Buffer => {
  if (seal === undefined) return payload;
  try {
    return seal.open(payload, placeOf(head));
  } catch (error) {
    throw new LoomError('DRAWER_CORRUPT', `The drawer is damaged: ${where} was changed.`, { cause: error });
  }
};
