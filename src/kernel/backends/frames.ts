// Messages of the bridge, each behind its length.
import type { Readable } from 'node:stream';

/** A message behind four bytes of length, as the Python side reads it. */
export const encodeFrame = (message: unknown): Buffer => {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
};

/**
 * Calls `onMessage` with each message of a stream of frames. Code in a kernel can write anything into its pipes: where it is
 * no message `onFault` is called, and the rest is not read.
 */
export const readFrames = (
  stream: Readable,
  onMessage: (message: never) => void,
  onFault: (error: Error) => void,
): void => {
  let parts: Buffer[] = [];
  let length = 0;
  let wanted = 4;
  const joined = (): Buffer => {
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  };
  const take = (data: Buffer): void => {
    parts.push(data);
    length += data.length;
    // A large frame arrives in many pieces: they are joined once, when all of them are there.
    if (length < wanted) return;
    let rest = joined();
    for (;;) {
      wanted = rest.length < 4 ? 4 : 4 + rest.readUInt32BE();
      if (rest.length < wanted) break;
      // The other side escapes everything beyond ASCII.
      onMessage(JSON.parse(rest.toString('latin1', 4, wanted)) as never);
      rest = rest.subarray(wanted);
    }
    parts = [rest];
    length = rest.length;
  };
  const read = (data: Buffer): void => {
    try {
      take(data);
    } catch (error) {
      stream.off('data', read).resume();
      onFault(error as Error);
    }
  };
  stream.on('data', read);
};
