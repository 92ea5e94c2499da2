// Secrets by the name before them: `API_KEY=…`, `"password": "…"`, `--token …`, `<secret>…</secret>`.
import type { Finding } from './mask.ts';
import { isSecret, type Kind } from './values.ts';

/** Ends of names of secrets; a digit or two may follow. */
const names =
  /(passw(?:or)?d|passphrase|passcode|pwd|pass|secret(?:[-_]?(?:access[-_]?)?key(?:[-_]?base)?)?|(?:api|access|private|account|auth|encryption|signing|master)[-_ ]?key|token|(?<![a-z])_auth)\d{0,2}(?![\w-])/gi;

/** What stands before `secret` or `token` where the value is a key and nothing else. */
const keyBefore =
  /(?:access|api|app|application|auth|bearer|bot|client|consumer|deploy|jwt|oauth|refresh|session|shared|signing|webhook)[-_. ]?$/i;
/** A token that says where a list goes on, or what is to be stopped. */
const noSecretBefore = /(?:next|page|continuation|cancell?ation|sync|prompt|completion|public[-_. ]?key)[-_. ]?$/i;

const kindOf = (name: string, before: string): { rule: string; kind: Kind } | undefined => {
  const word = name.toLowerCase();
  if (word.startsWith('pass') || word === 'pwd') {
    // `PASS: login_2fa` is a test's result, `PWD=` a folder more often than not; `DB_PASS=`, `dbPass`, `Pwd=` are passwords.
    const last = before.at(-1) ?? '';
    const inner = /[-_."'`]/.test(last) || (/[a-z]/.test(last) && name.startsWith('P'));
    if (word === 'pass' && !inner) return undefined;
    if (word === 'pwd' && !inner && /\w/.test(last)) return undefined;
    return { rule: 'password', kind: 'password' };
  }
  if (word.endsWith('key') || word.endsWith('base') || word === '_auth') return { rule: 'key', kind: 'key' };
  if (noSecretBefore.test(before)) return undefined;
  return { rule: word, kind: keyBefore.test(before) ? (word === 'secret' ? 'password' : 'key') : 'any' };
};

/** Between a name and its value. */
const sign = /(?:\\{0,3}["'`])?\]?\??[ \t]{0,20}(=>|:=|=|:)(?!=)[ \t]{0,20}/y;
const element = />(?=[^<>\r\n]{8,1024}<\/)/y;
const attribute = /["'][ \t]{1,4}value[ \t]{0,2}=[ \t]{0,2}/y;
const space = /[ \t]{1,4}/y;
/** `--db-password …`, `ENV DB_PASSWORD …`: only a space stands before the value. */
const spaced = /(?:(?:^|[ \t"'`])--[\w-]{0,40}|(?:^|\n)[ \t]{0,20}(?:ENV|setx)[ \t]{1,4}\w{0,40})$/i;

const quotedValue = /[bruf]{0,2}(\\{0,3}["'`])((?:(?!\1)(?:[^\r\n\\]|\\[^\r\n])){8,1024})\1/iy;
const bareValue = /(?:[^\x00-\x20"'`;,<>()[\]{}|\\&]|&(?![\w.%-]{1,40}=)){8,4096}/y; // oxlint-disable-line no-control-regex
const elementValue = /[^<>\r\n]{8,1024}/y;

const at = (pattern: RegExp, text: string, from: number): RegExpExecArray | null => {
  pattern.lastIndex = from;
  return pattern.exec(text);
};

type Sign = { end: number; attached: boolean; colon: boolean; value: 'text' | 'element' };

const signAt = (text: string, from: number, before: string): Sign | undefined => {
  const assigned = at(sign, text, from);
  if (assigned) {
    const [whole, what = ''] = assigned;
    return { end: from + whole.length, attached: whole === '=', colon: what === ':', value: 'text' };
  }
  if (text[from] === '>' && at(element, text, from))
    return { end: from + 1, attached: false, colon: true, value: 'element' };
  const named = at(attribute, text, from);
  if (named) return { end: from + named[0].length, attached: false, colon: false, value: 'text' };
  const gap = at(space, text, from);
  if (!gap || !spaced.test(before)) return undefined;
  return { end: from + gap[0].length, attached: false, colon: true, value: 'text' };
};

type Place = { start: number; text: string; quoted: boolean };

const valueAt = (text: string, { end, value }: Sign): Place | undefined => {
  if (value === 'element') {
    const inner = at(elementValue, text, end);
    return inner ? { start: end, text: inner[0], quoted: true } : undefined;
  }
  const quoted = at(quotedValue, text, end);
  if (quoted) {
    const [whole, quote = '', inner = ''] = quoted;
    return { start: end + whole.length - quote.length - inner.length, text: inner, quoted: true };
  }
  const bare = at(bareValue, text, end);
  // A call or an element of something: code.
  if (!bare || /[([]/.test(text[end + bare[0].length] ?? '')) return undefined;
  return { start: end, text: bare[0], quoted: false };
};

/** How far back a name is looked at. */
const lookBack = 60;
/** A longer value is read once only: what stands in it is no name. */
const mostReadTwice = 200;

export const findAssigned = (text: string): Finding[] => {
  const found: Finding[] = [];
  let read = 0;
  for (const match of text.matchAll(names)) {
    if (match.index < read) continue;
    const before = text.slice(Math.max(0, match.index - lookBack), match.index);
    const { rule, kind } = kindOf(match[1] ?? '', before) ?? {};
    if (rule === undefined || kind === undefined) continue;
    const sign = signAt(text, match.index + match[0].length, before);
    const value = sign && valueAt(text, sign);
    if (!value) continue;
    const end = value.start + value.text.length;
    const isFound = isSecret({ ...value, kind, attached: sign.attached, colon: sign.colon });
    if (isFound) found.push({ start: value.start, end, rule });
    if (isFound || value.text.length > mostReadTwice) read = end;
  }
  return found;
};
