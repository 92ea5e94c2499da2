// Long work in slices, so that others get their turn.
import { LoomError } from './errors.ts';

/** How long work may hold a thread before others get their turn, in milliseconds. */
export const sliceMs = 40;

const cancelled = (): LoomError => new LoomError('CANCELLED', 'The call was cancelled; nothing of it was kept.');

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Runs `work` to its end in slices of about 40 ms with the event loop served in between.
 * The work decides where it may be cut by its `yield`s; more of them cost little.
 */
export const inSlices = async <R>(work: Generator<void, R>, signal?: AbortSignal): Promise<R> => {
  for (;;) {
    const end = performance.now() + sliceMs;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await breathe();
    if (signal?.aborted) throw cancelled();
  }
};

/** Runs `work` to its end at once: for short inputs and tests. */
export const atOnce = <R>(work: Generator<void, R>): R => {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
};

/** For work that must await something between its steps: `await` it after each, and others get their turn every 40 ms. */
export const pacer = (signal?: AbortSignal): (() => Promise<void>) => {
  let end = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < end) return;
    await breathe();
    if (signal?.aborted) throw cancelled();
    end = performance.now() + sliceMs;
  };
};
