// Answers with exact excerpts of documents, page by page.
import { isUtf8 } from 'node:buffer';
import { maskStart } from '#base/secrets/mask.ts';
import { characterStart } from '#base/utf8.ts';
import { LoomError } from '#base/errors.ts';
import { cursorNumbers } from '#drawer/ids.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import type { Excerpt, GetArgs, Got } from '#drawer/types.ts';
import { nameDocument } from './named.ts';
import { withStanding } from './standing.ts';
import type { ReadResult } from './ranges.ts';

type Page = { bytes: Buffer; text: string; encoding: 'text' | 'base64' };

/** As many characters from the beginning as have at most `units` UTF-16 units; at least one. */
const charactersWithin = (text: string, units: number): string => {
  if (text.length <= units) return text;
  const whole = text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '');
  return whole === '' ? String.fromCodePoint(text.codePointAt(0) ?? 0) : whole;
};

/** A page that breaks off ends with a line, where that leaves at least half of it. */
const toLineEnd = (text: string): string => {
  const end = text.lastIndexOf('\n') + 1;
  return end > text.length / 2 ? text.slice(0, end) : text;
};

/** As much of `bytes` as `units` have space for. `more`: the range goes on behind them, so they may end inside a character. */
const makePage = (bytes: Buffer, more: boolean, units: number, wanted: GetArgs['encoding']): Page => {
  const valid = more ? bytes.subarray(0, characterStart(bytes, bytes.length - 1)) : bytes;
  if (wanted !== 'base64' && isUtf8(valid) && (valid.length > 0 || bytes.length === 0)) {
    const all = valid.toString('utf8');
    const shown = charactersWithin(all, units);
    const text = more || shown.length < all.length ? toLineEnd(shown) : shown;
    return { bytes: valid.subarray(0, Buffer.byteLength(text)), text, encoding: 'text' };
  }
  const part = bytes.subarray(0, Math.max(3, Math.floor(units / 4) * 3));
  return { bytes: part, text: part.toString('base64'), encoding: 'base64' };
};

const excerptOf = (read: ReadResult, { bytes, text, encoding }: Page): Excerpt => {
  let newlines = 0;
  for (const byte of bytes) if (byte === 10) newlines++;
  const last = read.line + newlines - (bytes.at(-1) === 10 || bytes.length === 0 ? 1 : 0);
  return {
    id: read.info.id,
    title: read.info.title,
    text,
    encoding,
    lines: [read.line, Math.min(last, read.info.lines)],
    bytes: [read.from, read.from + bytes.length - 1],
    totalLines: read.info.lines,
    totalBytes: read.info.bytes,
    masked: read.info.redacted > 0 && bytes.includes(maskStart),
  };
};

/** Less space than this is left for the next page rather than filled with a scrap. */
const scrap = 200;

/** As many as `units` has space for, and where to go on. */
export const get = async (call: DrawerCall, args: GetArgs): Promise<Got> => {
  const { stretches, cursor } = await readPage(call, args);
  return { stretches: await withStanding(call, stretches, ({ id }) => id), cursor };
};

const readPage = async (call: DrawerCall, args: GetArgs): Promise<Got> => {
  const { session, ids, lines, bytes, cursor, encoding } = args;
  const [start, resumed] =
    cursor === undefined ? [0] : cursorNumbers(cursor, /^(\d{1,4})\.(\d{1,12})$/, ' of these ids', ids.length);
  const stretches: Excerpt[] = [];
  let units = args.units;
  for (let index = start; index < ids.length; index++) {
    const { lines: own, ...named } = await nameDocument(call, session, ids[index] ?? '');
    if (own !== undefined && lines !== undefined)
      throw new LoomError('INVALID_ARGUMENTS', `${ids[index]} names lines, and so does lines: give them once.`);
    const from = index === start ? resumed : undefined;
    if (stretches.length > 0 && units < scrap) return { stretches, cursor: `${index}.${from ?? 0}` };
    // A UTF-16 unit is at most three bytes of UTF-8; one more shows whether a character is whole.
    const mostBytes = Math.max(units, 4) * 3 + 4;
    const read = await call('drawer.read', { session, ...named, lines: own ?? lines, bytes, from, most: mostBytes });
    const end = read.from + read.bytes.length;
    const page = makePage(Buffer.from(read.bytes), end < read.range[1], units, encoding);
    stretches.push(excerptOf(read, page));
    units -= page.text.length;
    const reached = read.from + page.bytes.length;
    if (reached < read.range[1]) return { stretches, cursor: `${index}.${reached}` };
  }
  return { stretches, cursor: undefined };
};
