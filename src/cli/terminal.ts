// What the command line writes to a terminal: text alone. Stored bytes may hold what a terminal obeys.
import { StringDecoder } from 'node:string_decoder';
import type { Terminal } from '#base/verb.ts';

type Out = { isTTY?: boolean; write: (bytes: Uint8Array | string) => unknown };

/** C0 but for tab and line end, DEL, C1, and what turns the direction of text; a carriage return only before a line end. */
const obeyed =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;

/** As Unicode pictures it (`␛`), or by its number. */
const picture = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x7f) return '\u2421';
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
};

/** `text` with every control character made visible. */
export const visible = (text: string): string => text.replace(obeyed, picture);

const shownOn = (out: Out): ((text: Uint8Array | string) => void) => {
  if (out.isTTY !== true) return (text) => void out.write(text);
  // A character may be cut between two pages, and a line end too.
  const decoder = new StringDecoder('utf8');
  let held = '';
  return (given) => {
    const text = held + (typeof given === 'string' ? given : decoder.write(Buffer.from(given)));
    held = text.endsWith('\r') ? '\r' : '';
    out.write(visible(held === '' ? text : text.slice(0, -1)));
  };
};

/** Where it is a terminal, control characters are shown instead of obeyed; elsewhere every byte is as it is. */
export const terminalOf = (stdout: Out, stderr: Out): Pick<Terminal, 'print' | 'write' | 'note'> => {
  const [out, err] = [shownOn(stdout), shownOn(stderr)];
  return { print: (line) => out(`${line}\n`), write: out, note: (line) => err(`${line}\n`) };
};
