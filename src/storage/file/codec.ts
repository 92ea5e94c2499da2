/**
 * One encoding for frames of the wire and payloads of the journal: `u32 length of the JSON | JSON | bytes`. JSON holds
 * everything but byte arrays, which follow it end to end. What JSON cannot say stands in objects with one `$` key:
 * `$b: [offset, length]` bytes, `$n` bigint, `$f` a number that is not finite, `$u` undefined, `$o: [[key, value], …]` an
 * object that itself has a key with `$`. INVARIANT: `unpack(pack(x))` equals x; members that are undefined are dropped.
 */
import { LoomError } from '#base/errors.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export const pack = (value: unknown): Buffer => {
  const parts: Uint8Array[] = [];
  let offset = 0;
  const encode = (v: unknown): Json => {
    if (v === undefined) return { $u: 1 };
    if (typeof v === 'bigint') return { $n: String(v) };
    if (typeof v === 'number' && !Number.isFinite(v)) return { $f: String(v) };
    if (typeof v !== 'object' || v === null) return v as Json;
    if (v instanceof Uint8Array) {
      parts.push(v);
      offset += v.length;
      return { $b: [offset - v.length, v.length] };
    }
    if (Array.isArray(v)) return v.map(encode);
    const members = Object.entries(v).filter(([, member]) => member !== undefined);
    const encoded = members.map(([key, member]): [string, Json] => [key, encode(member)]);
    return members.some(([key]) => key.startsWith('$')) ? { $o: encoded } : Object.fromEntries(encoded);
  };
  const json = Buffer.from(JSON.stringify(encode(value)));
  const head = Buffer.allocUnsafe(4);
  head.writeUInt32LE(json.length);
  return Buffer.concat([head, json, ...parts]);
};

/** Byte arrays of the result are copies of their own, never views into `bytes`. */
export const unpack = (bytes: Buffer): unknown => {
  const jsonLength = bytes.length < 4 ? Infinity : bytes.readUInt32LE(0);
  if (4 + jsonLength > bytes.length) throw new LoomError('INTERNAL', 'a packed value is cut off');
  const base = 4 + jsonLength;
  const decode = (v: Json): unknown => {
    if (typeof v !== 'object' || v === null) return v;
    if (Array.isArray(v)) return v.map(decode);
    if (v['$b'] !== undefined) {
      const [offset, length] = v['$b'] as [number, number];
      return new Uint8Array(bytes.subarray(base + offset, base + offset + length));
    }
    if (v['$n'] !== undefined) return BigInt(v['$n'] as string);
    if (v['$f'] !== undefined) return Number(v['$f']);
    if (v['$u'] !== undefined) return undefined;
    const members = (v['$o'] as [string, Json][] | undefined) ?? Object.entries(v);
    return Object.fromEntries(members.map(([key, member]) => [key, decode(member)]));
  };
  return decode(JSON.parse(bytes.toString('utf8', 4, base)) as Json);
};
