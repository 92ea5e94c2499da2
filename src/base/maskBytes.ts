// Masks secrets in bytes of any length, a window at a time.
import { findSecrets, joined } from './secrets/find.ts';
import { maskFor, type Finding, type Masked } from './secrets/mask.ts';
import { pacer } from './slices.ts';

export type MaskedBytes = { bytes: Buffer; masked: Masked[] };

/** Bytes that the rules read at once: some milliseconds' work. */
const windowBytes = 65_536;
/** How far a window reaches back into the one before: further than a private key is long. */
const overlap = 8_192;

const findAll = async (bytes: Buffer, pause: () => Promise<void>): Promise<Finding[]> => {
  const found: Finding[] = [];
  for (let at = 0; at < bytes.length; at += windowBytes) {
    const start = Math.max(0, at - overlap);
    const text = bytes.toString('latin1', start, at + windowBytes);
    for (const finding of findSecrets(text)) {
      // Of what the window before has as a whole it sees more of what stands before it.
      if (start > 0 && finding.end < overlap) continue;
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
