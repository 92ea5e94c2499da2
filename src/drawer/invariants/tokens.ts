// What a run of characters without white space holds: which invariants, and where.
import type { InvariantKind } from '#drawer/contents.ts';

/*
 * A run ends at white space, quotes and brackets. Every pattern is anchored at the beginning of a run of at most
 * `mostToken` characters, and no quantifier stands inside another over the same characters: a look is
 * linear in the run, and a run is bounded. A run is given as its bytes, one character each (latin1).
 */

/** A longer run is no fact but data: a picture in base64, a ruler of dashes. */
export const mostToken = 512;

export type Part = { kind: InvariantKind; from: number; to: number };

const url = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^/?#]+/i;
const digest = /^(?:sha\d{1,3}|md5)[-:][A-Za-z0-9+/_-]{16,}=*$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const day = /^(?:\d{4}([-/.])\d\d\1\d\d|\d{1,2}([./])\d{1,2}\2\d{4}|\d{1,2}[-/][A-Z][a-z]{2}[-/]\d{2,4})(?!\d)/;
const clock = /^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const rooted = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w\x80-\xff.@~+%-]/;
const relative =
  /^[\w\x80-\xff@.~+%-]+(?:\/[\w\x80-\xff@.~+%:-]*){2,}$|^[\w\x80-\xff@.~+%-]+\/(?:[\w\x80-\xff@~+%-]*\.)+[A-Za-z]\w{0,9}(?=$|:)/;
const address = /^(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;
const version =
  /^(?:v\d{1,6}(?:\.\d{1,8})*|\d{1,6}\.\d{1,8}\.\d{1,8}(?:\.\d{1,8})?)(?:[-+][A-Za-z][\w.+-]*|[a-z]{1,3}\d{1,3})?$/i;
const hash = /^[0-9a-f]{7,128}$/i;
const number = /^(?:[+-]?\$?\d+(?:\.\d+)?(?:e[+-]?\d{1,3}$|%|[a-zA-Z]{1,3}(?:\/[a-z]{1,5})?)?|0x[0-9a-f]{1,16})$/i;
const id = /^#?[A-Za-z0-9]+(?:[-_.#][A-Za-z0-9]+)*$/;
const mail = /^[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}$/;
const host = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;

const digitsIn = (text: string): number => {
  let digits = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) digits++;
  return digits;
};
const isPort = (text: string): boolean => /^[1-9]\d{1,4}$/.test(text) && Number(text) < 65_536;

/** What one piece without a colon is. */
const kindOfPiece = (text: string): InvariantKind | undefined => {
  const digits = digitsIn(text);
  if (digits === 0) return undefined;
  if (text.includes('.') && address.test(text)) return 'id';
  if (version.test(text)) return 'version';
  if (number.test(text)) return 'number';
  if (text.length === 36 && uuid.test(text)) return 'id';
  if (hash.test(text) && digits < text.length) return 'hash';
  if (!id.test(text) || text.length > 80) return undefined;
  // `utf8`, `int32`, `us-east-1` name a sort of thing, `ORD-77121` and `PX40221` one thing.
  return digits >= 4 || (digits >= 2 && /[-_#]/.test(text)) ? 'id' : undefined;
};

const sign = /[:@/\\?&#~^]/;
type Piece = { before: string; text: string; at: number };

/** The pieces of `text` between signs, each with the sign before it. */
const piecesOf = (text: string): Piece[] => {
  const pieces: Piece[] = [];
  let at = 0;
  for (let end = 0; end <= text.length; end++) {
    if (end < text.length && !sign.test(text.charAt(end))) continue;
    if (end > at) pieces.push({ before: text.charAt(at - 1), text: text.slice(at, end), at });
    at = end + 1;
  }
  return pieces;
};

/** `.` and `-` at a piece's end belong to the sentence. */
const trimmed = (text: string): string => (/[\w)]$/.test(text) ? text : text.replace(/[.\-_\x80-\xff]+$/, ''));

/** `placed`: numbers behind a colon are the line and column of a file, no ports. */
const inPieces = (text: string, offset: number, placed = false): Part[] => {
  if (!sign.test(text)) {
    const value = trimmed(text);
    const kind = kindOfPiece(value);
    return kind ? [{ kind, from: offset, to: offset + value.length }] : [];
  }
  const parts: Part[] = [];
  let last = '';
  for (const piece of piecesOf(text)) {
    const value = trimmed(piece.text);
    const mapped = !placed && piece.before === ':' && isPort(value) && (last === '' || host.test(last) || isPort(last));
    const kind = mapped ? 'port' : kindOfPiece(value);
    if (mapped && isPort(last)) {
      // `8080:80` maps one port to another: what came before was one too.
      const before = parts.at(-1);
      if (before?.kind === 'number') before.kind = 'port';
    }
    const from = offset + piece.at;
    if (kind) parts.push({ kind, from, to: from + value.length });
    last = value;
  }
  return parts;
};

const pathIn = (text: string, offset: number): Part[] | undefined => {
  if (!text.includes('/') && !/^(?:[A-Za-z]:)?\\\\?\w/.test(text)) return undefined;
  if ((!rooted.test(text) && !relative.test(text)) || !/[A-Za-z]/.test(text)) return undefined;
  const drive = /^[A-Za-z]:/.test(text) ? 2 : 0;
  const colon = text.indexOf(':', drive);
  const end = colon < 0 ? text.length : colon;
  const path = text.slice(0, end).replace(/[.\-?&#]+$/, '');
  return [{ kind: 'path', from: offset, to: offset + path.length }, ...inPieces(text.slice(end), offset + end, true)];
};

/** The invariants of the run `text`. `leading`: it begins a line, where a stamp says no more than when it was written. */
export const partsOfToken = (text: string, leading: boolean): Part[] => {
  // Most looks are spared by one at a character: this runs for every number and path that is stored.
  if (text.includes('://') && url.test(text)) {
    return [{ kind: 'url', from: 0, to: text.replace(/[.:?&#-]+$/, '').length }];
  }
  if (/^[sm][hd]/i.test(text) && digest.test(text)) return [{ kind: 'hash', from: 0, to: text.length }];
  const before = beforeOf(text);
  const own = /[.:?&-]$/.test(text)
    ? text.slice(before).replace(/[.:?&-]+$/, '')
    : before > 0
      ? text.slice(before)
      : text;
  if (/^\d/.test(own)) {
    const stamp = dateIn(own, before, leading);
    if (stamp) return stamp;
  }
  if (own.includes('@') && mail.test(own)) return [{ kind: 'id', from: before, to: before + own.length }];
  return pathIn(own, before) ?? inPieces(own, before);
};

const wrapping = /^[.:?&~^+\x80-\xff-]+(?=[\w/$#])/;
/** Signs that belong to what follows them: of a number, before a path, the colon of a port. */
const belonging = /^(?:[+-]\$?\d|\.{0,2}\/|~\/|:\d{2,5}$)/;

/** Signs around a word, at its beginning. */
const beforeOf = (text: string): number =>
  /^\w/.test(text) || belonging.test(text) ? 0 : (wrapping.exec(text)?.[0].length ?? 0);

const dateIn = (text: string, from: number, leading: boolean): Part[] | undefined => {
  const date = day.exec(text);
  if (date) {
    const dayOnly = leading || !/^[T:]\d\d:\d\d/.test(text.slice(date[0].length));
    return [{ kind: 'date', from, to: from + (dayOnly ? date[0].length : text.length) }];
  }
  if (!text.includes(':') || !clock.test(text)) return undefined;
  return leading ? [] : [{ kind: 'date', from, to: from + text.length }];
};
