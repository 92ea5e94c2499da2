/** What an owner does by the clock: it tells of commits, makes checkpoints when they are due, and looks whether it is still the owner. */
import type { Log } from '#base/log.ts';
import { Superseded } from '#storage/file/chain.ts';

const tickMs = 1_000;
/** Several commits in so many milliseconds are one word to the others. */
const coalesceMs = 25;
const idleMs = 30_000;

export type UpkeepOptions = {
  log: Log;
  look: () => void;
  /** Tells everybody that something was committed. */
  tell: () => void;
  /** The journal asks for a checkpoint: now, or when nothing was written for a while. */
  due: () => 'now' | 'idle' | undefined;
  checkpoint: () => Promise<void>;
};

export class Upkeep {
  readonly #options: UpkeepOptions;
  #tick: NodeJS.Timeout | undefined;
  #change: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #checkpointing = false;
  #stopped = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  start(): void {
    this.#tick = setInterval(this.#options.look, tickMs).unref();
  }

  committed(): void {
    this.#change ??= setTimeout(() => {
      this.#change = undefined;
      this.#options.tell();
    }, coalesceMs);
    clearTimeout(this.#idle);
    if (this.#options.due() === 'now') this.#checkpointSoon();
    else this.#idle = setTimeout(() => this.#options.due() && this.#checkpointSoon(), idleMs).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#tick);
    clearTimeout(this.#change);
    clearTimeout(this.#idle);
  }

  #checkpointSoon(): void {
    if (this.#checkpointing || this.#stopped) return;
    this.#checkpointing = true;
    this.#options
      .checkpoint()
      .catch((error: unknown) => {
        if (!(error instanceof Superseded)) this.#options.log.warn(`The checkpoint failed: ${String(error)}`);
      })
      .finally(() => {
        this.#checkpointing = false;
      });
  }
}
