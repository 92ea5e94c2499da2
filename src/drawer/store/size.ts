// The most that one document holds.
import { LoomError } from '#base/errors.ts';
import { counted } from '#base/text.ts';

/** The drawer has no space for more anyway, and one string could not hold it. */
const mostBytes = 200 * 2 ** 20;

const tooLarge = (what: string, size: string): LoomError =>
  new LoomError(
    'TOO_LARGE',
    `${what} has ${size}; one document has at most ${counted(mostBytes, 'byte')}. Store parts of it.`,
  );

/** Refuses what is too large for one document. */
export const checkSize = (bytes: number, what: string): void => {
  if (bytes > mostBytes) throw tooLarge(what, counted(bytes, 'byte'));
};

/** All that comes from a stream, which is left where it has more than one document holds: it may be endless. */
export const readStream = async (stream: AsyncIterable<Uint8Array>, what: string): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes > mostBytes) throw tooLarge(what, 'more than that');
    parts.push(part);
  }
  return Buffer.concat(parts);
};
