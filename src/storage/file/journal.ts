/**
 * The format of `drawer.<e>.log`, what the owner of epoch e committed.
 *
 *   header  `LOOMLOG1` | u32 length | JSON | u32 crc of all before
 *   record  u32 magic | u32 payload length | u64 first seq | u32 chain before | u32 crc of the payload | u32 crc of these
 *           (the record's chain value) | payload: packed entries, sealed where the header says so
 *
 * The header and each record stand there twice, one copy right behind the other: until a snapshot is made the journal is
 * all there is of a write. (In format 1 they stand once.)
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
export const fileFormat = 2;
/** How often a journal holds everything. */
export const journalCopies = 2;

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

const twice = (bytes: Buffer): Buffer => Buffer.concat([bytes, bytes]);

export const encodeHeader = (header: LogHeader): Buffer => {
  const json = Buffer.from(JSON.stringify(header));
  const bytes = Buffer.alloc(magic.length + 4 + json.length + 4);
  magic.copy(bytes);
  bytes.writeUInt32LE(json.length, 8);
  json.copy(bytes, 12);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return twice(bytes);
};

/** Where the whole header that begins at `from` ends; undefined where there is none. */
const headerEnd = (bytes: Buffer, from: number): number | undefined => {
  if (from < 0 || bytes.length < from + 16 || !bytes.subarray(from, from + 8).equals(magic)) return undefined;
  const end = from + 12 + bytes.readUInt32LE(from + 8);
  if (end + 4 > bytes.length || crc32(bytes.subarray(from, end)) !== bytes.readUInt32LE(end)) return undefined;
  return end + 4;
};

/** A log's header, where its records begin, and whether one of its two copies does not hold. */
export type DecodedHeader = { header: LogHeader; start: number; mended: boolean };

/** The header of log `epoch`. It was created whole, so that a bad one is damage. */
export const decodeHeader = (bytes: Buffer, epoch: number): DecodedHeader => {
  const first = headerEnd(bytes, 0);
  const from = first === undefined ? bytes.indexOf(magic, 1) : 0;
  const end = first ?? headerEnd(bytes, from);
  if (end === undefined) throw corrupt(`the header of journal ${epoch} is unreadable`);
  const header = JSON.parse(bytes.toString('utf8', from + 12, end - 4)) as LogHeader;
  if (header.format > fileFormat) throw newer(`Journal ${epoch}`);
  if (header.epoch !== epoch) throw corrupt(`journal ${epoch} is a copy of journal ${header.epoch}`);
  if (first === undefined) return { header, start: end, mended: true };
  if (header.format === 1) return { header, start: end, mended: false };
  return { header, start: 2 * end, mended: !bytes.subarray(end, 2 * end).equals(bytes.subarray(0, end)) };
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
  return { bytes: twice(Buffer.concat([head, payload])), chain: own };
};

const headAt = (bytes: Buffer, at: number): Buffer | undefined => {
  if (at + recordHead > bytes.length || bytes.readUInt32LE(at) !== recordMagic) return undefined;
  const head = bytes.subarray(at, at + recordHead);
  if (crc32(head.subarray(0, 24)) !== head.readUInt32LE(24)) return undefined;
  return at + recordHead + head.readUInt32LE(4) <= bytes.length ? head : undefined;
};

type FoundRecord = { at: number; head: Buffer; payload: Buffer; end: number };

const recordAt = (bytes: Buffer, at: number): FoundRecord | undefined => {
  const head = headAt(bytes, at);
  if (head === undefined) return undefined;
  const end = at + recordHead + head.readUInt32LE(4);
  const payload = bytes.subarray(at + recordHead, end);
  return crc32(payload) === head.readUInt32LE(20) ? { at, head, payload, end } : undefined;
};

/** Whether the end of a journal is shorter than its head says, as a crash leaves it: else it is as long, and was changed. */
export const isCutShort = (tail: Buffer): boolean => headAt(tail, 0) === undefined;

/** The first whole record that begins at `from` or behind it. */
const findRecord = (bytes: Buffer, from: number): FoundRecord | undefined => {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(recordMagic);
  for (let at = from; at >= 0; at = bytes.indexOf(mark, at + 1)) {
    const record = recordAt(bytes, at);
    if (record) return record;
  }
  return undefined;
};

export type ReadRecord = Position & {
  /** Of the first entry; `seq` is the last one's. */
  first: number;
  entries: readonly Entry[];
};

/** How a log ends. */
export type LogEnd = {
  /** Behind the last whole record and its copy. */
  at: number;
  /** Bytes behind that which are no whole record. */
  torn: number;
  /** They are as many as their head says: not cut short, but not what was written. */
  changed: boolean;
  /** Places where one copy of something does not hold; the other one does. */
  mended: number;
};

/** Writes `from` to `to` (undefined: nobody knows how many) that no copy gives back. */
export type Gap = { from: number; to: number | undefined; error: LoomError };

/**
 * The records of one log, up to the position `until` where the next log says that this one ends; without it up to the last
 * whole record. Throws `DRAWER_CORRUPT` at what cannot be the end of a write that was cut short; with `onGap` it tells of
 * that and goes on behind it.
 */
export function* readRecords(
  bytes: Buffer,
  log: DecodedHeader,
  seal: Seal | undefined,
  until: Position | undefined,
  onGap?: (gap: Gap) => void,
): Generator<ReadRecord, LogEnd> {
  const name = `journal ${log.header.epoch}`;
  const gap = (from: number, to: number | undefined, error: LoomError): void => {
    if (onGap === undefined) throw error;
    onGap({ from, to, error });
  };
  let { seq, chain } = log.header;
  let at = log.start;
  let mended = Number(log.mended);
  let last: FoundRecord | undefined;
  while (at < bytes.length && !(until && seq >= until.seq)) {
    const record = findRecord(bytes, at);
    if (record === undefined) break;
    const first = Number(record.head.readBigUInt64LE(8));
    const fits = first === seq + 1 && record.head.readUInt32LE(16) === chain;
    if (fits && record.at > at) mended++;
    if (!fits) gap(seq + 1, first > seq + 1 ? first - 1 : undefined, misfit(name, at, record));
    const entries =
      fits || first > seq ? opened(record, seal, name, (error) => gap(first, undefined, error)) : undefined;
    // Behind a second copy that stood in for the first there is no other.
    last = record.at === at && log.header.format > 1 ? record : undefined;
    at = behind(bytes, record);
    if (entries === undefined) continue;
    seq = first - 1 + entries.length;
    chain = record.head.readUInt32LE(24);
    yield { first, entries, seq, chain };
  }
  if (until === undefined) return endOf(bytes, at, last, mended);
  if (seq !== until.seq || chain !== until.chain)
    gap(seq + 1, until.seq, corrupt(`${name} ends at write ${seq}, and the next one begins after ${until.seq}`));
  return { at, torn: 0, changed: false, mended };
}

const misfit = (name: string, at: number, record: FoundRecord): LoomError =>
  corrupt(
    record.at > at
      ? `${name} is unreadable from byte ${at} to ${record.at}`
      : `${name} does not go on at byte ${at} where it stopped before`,
  );

/** Where a record's second copy ends, if it stands whole behind it; else where the record ends. */
const behind = (bytes: Buffer, { at, end }: FoundRecord): number =>
  bytes.subarray(end, 2 * end - at).equals(bytes.subarray(at, end)) ? 2 * end - at : end;

/** What stands behind the last whole record: the rest of its second copy, or of a record that is none. */
const endOf = (bytes: Buffer, at: number, last: FoundRecord | undefined, mended: number): LogEnd => {
  const rest = bytes.length - at;
  if (last === undefined || at > last.end || rest > last.end - last.at)
    return { at, torn: rest, changed: !isCutShort(bytes.subarray(at)), mended };
  return { at, torn: 0, changed: false, mended: mended + Number(rest === last.end - last.at) };
};

/** What is in a record; undefined where `failed` was told that its seal does not open. */
const opened = (
  { at, head, payload }: FoundRecord,
  seal: Seal | undefined,
  name: string,
  failed: (error: LoomError) => void,
): Entry[] | undefined => {
  let plain = payload;
  try {
    plain = seal ? seal.open(payload, placeOf(head)) : payload;
  } catch (error) {
    failed(
      new LoomError('DRAWER_CORRUPT', `The drawer is damaged: ${name} at byte ${at} was changed.`, { cause: error }),
    );
    return undefined;
  }
  return unpack(plain) as Entry[];
};
