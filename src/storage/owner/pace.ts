/**
 * When a job may take its next slice. INVARIANT: a job waits while others call, so that a search of many calls meets no
 * slice at each of them, but it is never starved.
 */
/** A job waits until nobody has called for so long, in milliseconds, */
const quietMs = 20;
/** but never longer than this from one slice to the next. */
const patienceMs = 250;

export class Pace {
  #calledAt = -Infinity;
  #steppedAt = -Infinity;
  #wake: () => void = () => undefined;

  called(): void {
    this.#calledAt = performance.now();
  }
  stepped(): void {
    this.#steppedAt = performance.now();
  }

  /** Milliseconds until a job may go on; 0 or less: now. */
  get wait(): number {
    const now = performance.now();
    return Math.min(this.#calledAt + quietMs - now, this.#steppedAt + patienceMs - now);
  }

  /** Until then, or until there is something else to do. */
  async pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.max(1, this.wait));
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }

  wake(): void {
    this.#wake();
  }
}
