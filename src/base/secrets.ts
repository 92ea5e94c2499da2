// What counts as a secret, and what stands in its place.
/*
 * Our own rules for secrets, beside those of secretlint. They read text in latin1: a unit is a byte. All of them take linear
 * time: what repeats has a bound.
 */

export type Finding = { start: number; end: number; rule: string };

/** One secret that was masked. */
export type Masked = {
  rule: string;
  /** The line, from 1, that it begins in. */
  line: number;
  /** Its length in bytes. */
  length: number;
};

/** How a mask begins; `‹redacted:rule:length›` is the whole. */
export const maskStart = '‹redacted:';

/** What stands for a secret: its line ends are kept, so that line numbers stay true. */
export const maskFor = (secret: string, rule: string, length: number): string =>
  `${maskStart}${rule}:${length}›${secret.match(/\r?\n/g)?.join('') ?? ''}`;

/** A shorter literal is masked by no rule: it is more likely a word than a secret. */
export const leastLength = 8;

const hash = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const digest = /^sha(?:1|256|384|512)[-:]/i;
/** `brain-sync-wrong-branch`, `process.env.DB_PASSWORD`, `api/v2/login`: words, joined. */
const joinedWords = /^[a-z]+\d{0,3}(?:[-_.:/]+[a-z]+\d{0,3})+$/i;
/** `${TOKEN}`, `<your token>`, `{{ secret }}`, `%s`, `********`, and what was masked before. */
const placeholder = /^(?:[$<{%*]|\xe2\x80\xb9redacted:)/;
const oneCharacter = /^(.)\1*$/;

const isSecret = (value: string): boolean =>
  value.length >= leastLength &&
  ![hash, uuid, digest, joinedWords, placeholder, oneCharacter].some((harmless) => harmless.test(value));

const letterAndDigit = /[a-z].*\d|\d.*[a-z]/i;
/** No English word that follows "Bearer" is as long. */
const longWord = 16;
const isToken = (value: string): boolean =>
  isSecret(value) && (value.length >= longWord || letterAndDigit.test(value) || /[A-Z].*[a-z].*[A-Z]/.test(value));

/** `accessToken`, `dbPassword`: a variable's name, not what it holds. */
const reference = /^[a-z_$][\w$]*(?:Token|Password|Secret|Key)$/i;
const named = (value: string): boolean => reference.test(value) && /[a-z][A-Z]|^[a-z]+_/.test(value);

const prefixed = [
  { rule: 'bearer', pattern: /\bbearer[ \t]{1,4}([\w.~+/-]{8,}=*)/gi },
  { rule: 'sk', pattern: /(?<![\w-])(sk-[\w-]{8,})/g },
];

const assignment =
  /(password|passwd|secret|token)["']?[ \t]{0,3}(=>?|:)[ \t]{0,3}(?:(["'`])((?:(?!\3)[^\r\n\\]|\\[^\r\n]){8,1024})\3|([^\s"'`&;,<>()[\]{}|\\]{8,4096}))/gi;

const isAssigned = (match: RegExpExecArray, after: string): boolean => {
  const [whole, , sign, , quoted, bare] = match;
  // A sentence in quotes is a label or a message.
  if (quoted !== undefined) return isSecret(quoted) && (!quoted.includes(' ') || /\d/.test(quoted));
  if (bare === undefined || !isSecret(bare) || named(bare) || after === '(') return false;
  // `token: unexpected end` and `token = next` are prose and code; `token=` in one piece is a setting.
  return whole.includes(`=${bare}`) || (letterAndDigit.test(bare) && (sign === ':' || !/^[a-z_$][\w$.]*$/i.test(bare)));
};

/** What our own rules find in `text`. */
export const findSecrets = (text: string): Finding[] => {
  const found: Finding[] = [];
  for (const { rule, pattern } of prefixed)
    for (const match of text.matchAll(pattern)) {
      const [whole, value = ''] = match;
      const end = match.index + whole.length;
      if (isToken(value)) found.push({ start: end - value.length, end, rule });
    }
  for (const match of text.matchAll(assignment)) {
    const [whole, name = '', , quote = '', quoted, bare = ''] = match;
    const end = match.index + whole.length - quote.length;
    if (!isAssigned(match, text[end] ?? '')) continue;
    const rule = name.toLowerCase() === 'passwd' ? 'password' : name.toLowerCase();
    found.push({ start: end - (quoted ?? bare).length, end, rule });
  }
  return found;
};
