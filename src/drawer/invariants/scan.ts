// Finds the invariants of one line.
import { maskStart } from '#base/secrets/mask.ts';
import type { InvariantKind } from '#drawer/contents.ts';
import { mostToken, partsOfToken } from './tokens.ts';

/*
 * By hand, a character at a time: it finds the tokens of a line and only asks the patterns about those that hold a digit
 * or a slash: it runs over every byte that is stored. The text is given as its bytes, one character each (latin1), so
 * that places in it are places in the content.
 */

/** Told of each invariant: its kind, and where it stands in what was scanned. */
export type Emit = (kind: InvariantKind, from: number, to: number) => void;

const delimiter = 1;
const digit = 2;
const slash = 3;
/** What a mask may begin with. */
const mask = 4;
const classes = new Uint8Array(256);
for (let byte = 0; byte <= 32; byte++) classes[byte] = delimiter;
for (const sign of '"\'`<>()[]{},;|=*!\x7f') classes[sign.charCodeAt(0)] = delimiter;
for (let byte = 48; byte <= 57; byte++) classes[byte] = digit;
// Mail addresses hold neither a digit nor a slash.
for (const sign of '/\\@') classes[sign.charCodeAt(0)] = slash;

const maskBegin = Buffer.from(maskStart).toString('latin1');
classes[maskBegin.charCodeAt(0)] = mask;
const wholeMask = new RegExp(String.raw`${maskBegin}[\w-]{1,40}:\d{1,10}\xe2\x80\xba`, 'y');

/** Where a mask ends that stands at `at`; `at` where none does. What it says of itself is no value of the content. */
const maskEnd = (text: string, at: number): number => {
  wholeMask.lastIndex = at;
  return wholeMask.test(text) ? wholeMask.lastIndex : at;
};

const space = 32;
const comma = 44;

const constraint =
  /\b(must|mustn't|never|always|at most|at least|do not|don't|shall|required|forbidden|not allowed|only if|exactly one|no more than|no less than|invariant)\b/i;
/** The first words of what `constraint` looks for: a quick look before the real one. */
const constraintWords = new Set(
  'must never always at do don shall required forbidden not only exactly no invariant'.split(' '),
);
const constraintStarts = new Set(Array.from(constraintWords, (word) => word.length * 32 + (word.charCodeAt(0) & 31)));
/** Of a line that holds a constraint, so many bytes are the constraint. */
const mostConstraint = 160;

const units = new Set(
  (
    'ns µs us ms s sec secs seconds min mins minutes h hours days weeks months years B KB MB GB TB KiB MiB GiB bytes bits ' +
    'k M Hz kHz MHz GHz px pt em rem mm cm m km kg g mg l V A W kW % percent times retries attempts connections requests ' +
    'rows lines items users req/s MB/s KB/s EUR USD GBP tokens workers threads replicas'
  )
    .split(' ')
    .map((unit) => Buffer.from(unit).toString('latin1')),
);
const longestUnit = Math.max(...Array.from(units, (unit) => unit.length));

/** `,200` of `4,200`: where no list of numbers can be meant. */
const thousands = /^(?:,\d{3})+(?![\d,])/;

/** The end of the number that ends at `to`, with its thousands and the unit behind it. */
const numberEnd = (text: string, from: number, to: number, end: number): number => {
  let at = to;
  const before = from === 0 ? space : text.charCodeAt(from - 1);
  if (text.charCodeAt(at) === comma && to - from <= 3 && (before === space || before === 40)) {
    at += thousands.exec(text.slice(at, Math.min(end, at + 20)))?.[0].length ?? 0;
  }
  if (at >= end || text.charCodeAt(at) !== space) return at;
  let stop = at + 1;
  while (stop < end && stop - at <= longestUnit + 1 && classes[text.charCodeAt(stop)] !== delimiter) stop++;
  const word = text.slice(at + 1, stop);
  const unit = /[.:?]$/.test(word) ? word.slice(0, -1) : word;
  return units.has(unit) ? at + 1 + unit.length : at;
};

const isConstraintWord = (text: string, from: number, to: number): boolean =>
  constraintStarts.has((to - from) * 32 + (text.charCodeAt(from) & 31)) &&
  constraintWords.has(text.slice(from, to).toLowerCase());

const portWord = /^port:?$/i;
const isPortWord = (text: string, from: number, to: number): boolean =>
  (to - from === 4 || to - from === 5) && portWord.test(text.slice(from, to));

/** A token and where it stands; `afterPort`: behind the word "port". */
type Token = { from: number; to: number; digits: number; leading: boolean; afterPort: boolean };

/** Tells of the invariants in a token, and answers where the last of them ends. */
const emitToken = (text: string, { from, to, digits, leading, afterPort }: Token, end: number, emit: Emit): number => {
  if (digits === to - from) {
    const whole = numberEnd(text, from, to, end);
    emit(afterPort && whole === to && digits >= 2 && digits <= 5 ? 'port' : 'number', from, whole);
    return whole;
  }
  let last = to;
  for (const part of partsOfToken(text.slice(from, to), leading)) {
    const stop = from + part.to;
    const whole = part.kind === 'number' && stop === to ? numberEnd(text, from + part.from, to, end) : stop;
    emit(part.kind, from + part.from, whole);
    last = Math.max(last, whole);
  }
  return last;
};

const isUrl = (text: string, from: number, to: number): boolean => {
  const colon = text.indexOf(':', from);
  return colon > from && colon < to - 2 && text.startsWith('//', colon + 1);
};

const urlStop = /[\s"'`<>)\]}]/;

/** A URL goes on over signs that end another token, as far as white space, a quote or a bracket. */
const urlEnd = (text: string, from: number, to: number, end: number): number => {
  let at = to;
  while (at < end && at - from < mostToken && !urlStop.test(text.charAt(at))) at++;
  while (at > from && /[,;]/.test(text.charAt(at - 1))) at--;
  return at;
};

const isInsideCharacter = (code: number): boolean => (code & 0xc0) === 0x80;

const emitConstraint = (text: string, first: number, end: number, emit: Emit): void => {
  if (!constraint.test(text.slice(first, Math.min(end, first + 4 * mostConstraint)))) return;
  let from = first;
  while (from < end && text.charCodeAt(from) <= space) from++;
  let to = Math.min(end, from + mostConstraint);
  while (to < end && to > from && isInsideCharacter(text.charCodeAt(to))) to--;
  while (to > from && text.charCodeAt(to - 1) <= space) to--;
  emit('constraint', from, to);
};

/** The invariants of the line that stands at `first` to before `end`. */
export const scanLine = (text: string, first: number, end: number, emit: Emit): void => {
  let binding = false;
  let afterPort = false;
  let leading = true;
  for (let at = first; at < end;) {
    const from = at;
    let digits = 0;
    let slashes = 0;
    for (; at < end; at++) {
      const kind = classes[text.charCodeAt(at)];
      if (kind === delimiter) break;
      if (kind === digit) digits++;
      else if (kind === slash) slashes++;
      else if (kind === mask && maskEnd(text, at) > at) break;
    }
    if (at === from) {
      at = Math.max(at + 1, maskEnd(text, at));
      continue;
    }
    if (digits === 0 && slashes === 0) binding ||= isConstraintWord(text, from, at);
    else {
      const to = slashes >= 2 && isUrl(text, from, at) ? urlEnd(text, from, at, end) : at;
      at = to - from > mostToken ? to : emitToken(text, { from, to, digits, leading, afterPort }, end, emit);
    }
    afterPort = isPortWord(text, from, at);
    leading = false;
  }
  if (binding) emitConstraint(text, first, end, emit);
};
