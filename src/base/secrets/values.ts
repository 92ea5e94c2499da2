// Whether a value that a name calls a secret is one, or only the name of one, a word, code, a path, a date.
/*
 * Texts are read in latin1, a unit a byte: so patterns take what is not ASCII for letters, and none uses `\s`, which takes
 * a byte within a character for a space. All of them take linear time: what repeats has a bound.
 */

/** A shorter value is masked by no rule: it is more likely a word than a secret. */
export const leastLength = 8;

/** How much a name says: that people choose the value; that it is a key and nothing else; or one of many things. */
export type Kind = 'password' | 'key' | 'any';

export type Value = {
  text: string;
  kind: Kind;
  quoted: boolean;
  /** `name=value` in one piece, as settings are written, and as words and code are not. */
  attached: boolean;
  /** Whether its name is followed by a colon, as in a translation, a type or a sentence. */
  colon: boolean;
};

const hash = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What is no value whatever it is called. */
const harmless: readonly RegExp[] = [
  // `${TOKEN}`, `$TOKEN`, `<your token>`, `{{ secret }}`, `%s`, `:token_2`, and what was masked before.
  /^(?:\$[\w({[]|[<{*]|%[({s]|\xe2\x80\xb9redacted:)/,
  /^[:@&?][\w.]*$/,
  // `ghp_xxxxxxxx`, `YOUR_API_KEY_1`, `your-password`, `password`.
  /[xX*.]{6}|(.)\1{9}|^(.)\2*$|^[A-Z]+(?:_[A-Z\d]+)*\d{0,3}$|^(?:your|my|the)[-_]|^(?:password|passwd|secret|token)\d?$/,
  // Digests, dates, versions, addresses.
  /^sha(?:1|256|384|512)[-:]/i,
  /^\d{4}-\d\d-\d\d(?:[T_ ][\d:.,+Z-]*)?$/,
  /^v?\d{1,4}(?:\.\d{1,5}){1,3}(?:[-+.:]?[a-z]{0,12}\d{0,8}){0,4}$/i,
  // Files and addresses.
  /^(?:~|\.{1,2}|[a-z]:)?[\\/][\w.@%-]*(?:[\\/]+[\w.@%-]*)*$/i,
  /^[a-z][a-z+]{1,12}:\/\//i,
];

const humps = '[A-Z]?[a-z\\x80-\\xff]{2,}\\d{0,3}(?:[A-Z][a-z]+\\d{0,2})*';
const piece = `(?:(?:${humps}|[A-Z]{2,}\\d{0,3}|[a-zA-Z])|v?\\d{1,6}|v\\d{1,3}[a-z]{1,8}\\d{0,3})`;
/** `registry-creds-2`, `X-Auth-Token`, `api/v2/login`, `expected1`, `accessToken`: words, alone or joined. */
const words = new RegExp(`^${piece}(?:[-_.:/#+]{1,3}${piece})*$`);
/** The same, joined: of a password less is taken for a word. */
const joinedWords = /^[_$]{0,2}[a-z\x80-\xff]+\d{0,3}(?:[-_.:/#]+[a-z\x80-\xff]+\d{0,3})+$/i;
/** `Uint8Array`, `dbPassword`: names in code. */
const camelCase = /^[_$]{0,2}(?:[A-Z]?[a-z]{2,}\d{0,2})(?:[A-Z][a-z]+\d{0,2})+$/;
/** `cacheRecord?.idToken`, `rsa.RSAPrivateKey`, `_step22.value`: names in code, joined. */
const member = String.raw`[_$a-z]+(?:\d{1,5}[_$a-z]*)?`;
const memberPath = new RegExp(String.raw`^${member}(?:\??(?:\.|::|->)${member})+$`, 'i');
const lettersOnly = /^[a-z\x80-\xff]+$/i;
/** `Passwort`: as a label begins. */
const label = /^[A-Z\x80-\xff][a-z\x80-\xff]+$/;

const letterAndDigit = /[a-z][^]*\d|\d[^]*[a-z]/i;
const innerSign = /^[^]+[!@#$%^*+~?][^]/;
/** `s3cret`: no word of a sentence. */
const mixed = /[a-z]\d[a-z]|\d[a-z]\d/i;

/** A key or token that nobody chose: no words, and more digits than a name has. */
const isRandom = (text: string, isHash: boolean, kind: Kind): boolean => {
  if (isHash) return kind !== 'any';
  if (words.test(text) || text.includes(' ') || /^[\d.,:_-]+$/.test(text)) return false;
  if (/\d[^]*\d/.test(text) && /[a-z]/i.test(text)) return true;
  // Of names in code far fewer letters are capitals.
  const capitals = text.replace(/[^A-Z]/g, '').length / text.length;
  return text.length >= 16 && capitals > 1 / 3 && capitals < 3 / 4;
};

/** What a person chose. */
const isChosen = ({ text, quoted, attached, colon }: Value): boolean => {
  // A sentence in quotes is a label or a message.
  if (text.includes(' ')) return quoted && !colon && text.split(' ').length <= 3 && mixed.test(text);
  if (lettersOnly.test(text)) return !colon && (quoted || attached) && !label.test(text) && !camelCase.test(text);
  if (joinedWords.test(text)) return false;
  // A label in another script.
  if (colon && text.replace(/[^\x80-\xff]/g, '').length * 2 > text.length) return false;
  if (quoted) return true;
  if (camelCase.test(text)) return false;
  if (attached) return true;
  // `password = expected1` is code.
  if (!colon && words.test(text)) return false;
  return letterAndDigit.test(text) || innerSign.test(text) || /^\d+$/.test(text);
};

/** Whether the value of something that is called a password, a token, a key is one. */
export const isSecret = (value: Value): boolean => {
  const { text, kind, quoted } = value;
  if (text.length < leastLength || harmless.some((pattern) => pattern.test(text))) return false;
  if (!quoted && memberPath.test(text)) return false;
  const isHash = hash.test(text) || uuid.test(text);
  return isRandom(text, isHash, kind) || (kind === 'password' && isChosen(value));
};

/** Whether `text` is random enough for a token that stands without a name. */
export const isToken = (text: string): boolean =>
  isSecret({ text, kind: 'key', quoted: false, attached: true, colon: false });

/** Whether `text` may be a password at a place where one stands. */
export const isPassword = (text: string): boolean =>
  isSecret({ text, kind: 'password', quoted: false, attached: true, colon: false });
