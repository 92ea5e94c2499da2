/** Frames of the wire: `u32 length | packed value`. INVARIANT: a frame longer than the limit is refused before it is read. */
import type { Socket } from 'node:net';
import { LoomError } from '#base/errors.ts';
import { pack, unpack } from '#storage/file/codec.ts';

/** The longest frame between members that know each other: a drawer's largest document fits. */
export const longestFrame = 256 * 2 ** 20;
/** The longest frame before that. */
export const longestGreeting = 64 * 2 ** 10;

export const sendFrame = (socket: Socket, value: unknown): void => {
  if (socket.destroyed || socket.writableEnded) return;
  const packed = pack(value);
  const head = Buffer.allocUnsafe(4);
  head.writeUInt32LE(packed.length);
  socket.cork();
  socket.write(head);
  socket.write(packed);
  socket.uncork();
};

/** Calls `onFrame` with each frame that arrives; whoever sends something else is disconnected. */
export const readFrames = (socket: Socket, limit: () => number, onFrame: (value: unknown) => void): void => {
  const reader = new FrameReader(limit, onFrame);
  socket.on('data', (chunk) => {
    try {
      reader.push(chunk);
    } catch {
      socket.destroy();
    }
  });
};

/** Cuts a stream of bytes into frames. */
class FrameReader {
  readonly #onFrame: (value: unknown) => void;
  readonly #limit: () => number;
  #chunks: Buffer[] = [];
  #held = 0;
  #wanted: number | undefined;
  constructor(limit: () => number, onFrame: (value: unknown) => void) {
    this.#limit = limit;
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    for (;;) {
      if (this.#wanted === undefined) {
        if (this.#held < 4) return;
        this.#wanted = this.#take(4).readUInt32LE(0);
        if (this.#wanted < 4 || this.#wanted > this.#limit())
          throw new LoomError('TOO_LARGE', `a frame of ${this.#wanted} bytes`);
      }
      if (this.#held < this.#wanted) return;
      const frame = this.#take(this.#wanted);
      this.#wanted = undefined;
      this.#onFrame(unpack(frame));
    }
  }

  #take(length: number): Buffer {
    this.#held -= length;
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : this.#joined(length);
    const rest = all.subarray(length);
    this.#chunks = rest.length > 0 ? [rest, ...this.#chunks.slice(1)] : this.#chunks.slice(1);
    return all.subarray(0, length);
  }

  /** Joins as many chunks as hold `length` bytes into the first. */
  #joined(length: number): Buffer {
    let count = 0;
    for (let have = 0; have < length; count++) have += this.#chunks[count]!.length;
    const joined = count === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks.slice(0, count));
    this.#chunks = [joined, ...this.#chunks.slice(Math.max(1, count))];
    return joined;
  }
}
