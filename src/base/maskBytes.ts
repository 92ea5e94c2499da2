// Masks secrets in bytes of any length, a window at a time.
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { findSecrets, leastLength, maskFor, type Finding, type Masked } from './secrets.ts';
import { pacer } from './slices.ts';

export type MaskedBytes = { bytes: Buffer; masked: Masked[] };

/** Bytes that the rules read at once: some milliseconds' work. */
const windowBytes = 65_536;
/** How far a window reaches back into the one before: further than a private key is long. */
const overlap = 8_192;

const config = { rules: [{ id: 'preset', rule: creator, options: {} }] };
const source = { filePath: 'content.txt', ext: '.txt', contentType: 'text' as const };

/** The password of `scheme://user:password@host`; the rest of such an address is no secret. */
const password = /:\/\/[^\s/:@]*:([^\s@]+)@/;

/** Where the secret itself stands: a message's range may begin at its name, or take in a whole address. */
const locate = (text: string, from: number, value: string): Omit<Finding, 'rule'> | undefined => {
  const at = text.indexOf(value, from);
  if (at < 0) return undefined;
  const secret = password.exec(value)?.[1];
  const start = secret === undefined ? at : at + value.indexOf(`:${secret}@`) + 1;
  return { start, end: start + (secret ?? value).length };
};

/** What secretlint finds in `text`. */
const lint = async (text: string): Promise<Finding[]> => {
  // It would keep an entry for each rule and window for ever, and takes half of the time.
  secretLintProfiler.setEnabled(false);
  const { messages } = await lintSource({
    source: { ...source, content: text },
    options: { config, noPhysicFilePath: true },
  });
  return messages.flatMap(({ ruleId, range, data }) => {
    const rule = ruleId.replace('@secretlint/secretlint-rule-', '');
    const values = Object.values((data ?? {}) as Record<string, unknown>).filter((value) => typeof value === 'string');
    const longest = values.reduce((a, b) => (b.length > a.length ? b : a), '');
    const place = longest === '' ? undefined : locate(text, range[0], longest);
    return { ...(place ?? { start: range[0], end: range[1] }), rule };
  });
};

/** Findings in their order; those that overlap are one. */
const joined = (findings: readonly Finding[]): Finding[] => {
  const list: Finding[] = [];
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = list.at(-1);
    if (last && finding.start < last.end) last.end = Math.max(last.end, finding.end);
    else list.push({ ...finding });
  }
  return list.filter(({ start, end }) => end - start >= leastLength);
};

const findAll = async (bytes: Buffer, pause: () => Promise<void>): Promise<Finding[]> => {
  const found: Finding[] = [];
  for (let at = 0; at < bytes.length; at += windowBytes) {
    const start = Math.max(0, at - overlap);
    const text = bytes.toString('latin1', start, at + windowBytes);
    for (const finding of [...findSecrets(text), ...(await lint(text))]) {
      // What begins where the window does may be the end of something else; the window before has all of it.
      if (start > 0 && finding.start === 0) continue;
      found.push({ ...finding, start: start + finding.start, end: start + finding.end });
    }
    await pause();
  }
  return joined(found);
};

const newlines = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
};

/** Masks the secrets in `bytes`. Without one in them the answer has the very same bytes. */
export const maskBytes = async (bytes: Buffer, signal?: AbortSignal): Promise<MaskedBytes> => {
  const pause = pacer(signal);
  const pieces: Buffer[] = [];
  const masked: Masked[] = [];
  let at = 0;
  let line = 1;
  for (const { start, end, rule } of await findAll(bytes, pause)) {
    const secret = bytes.subarray(start, end);
    line += newlines(bytes.subarray(at, start));
    pieces.push(bytes.subarray(at, start), Buffer.from(maskFor(secret.toString('latin1'), rule, secret.length)));
    masked.push({ rule, line, length: secret.length });
    line += newlines(secret);
    at = end;
    await pause();
  }
  if (masked.length === 0) return { bytes, masked };
  return { bytes: Buffer.concat([...pieces, bytes.subarray(at)]), masked };
};
