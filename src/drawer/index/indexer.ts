// Runs the index job in the background.
import { setTimeout as pause } from 'node:timers/promises';
import { asLoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { DrawerCall } from '#drawer/operations.ts';

export type Indexer = {
  /** Indexes what waits, in the background. */
  start: () => void;
  /** Resolves when nothing that was stored before waits any more. */
  finish: () => Promise<void>;
  /** The same for at most `ms` milliseconds. Answers how many chunks wait still. */
  settle: (ms: number) => Promise<number>;
};

/** Runs the index job, one at a time; what was stored while it ran is looked for again at its end. */
export const runIndexer = (call: DrawerCall, log: Log): Indexer => {
  let running: Promise<void> | undefined;
  let again = false;
  const run = async (): Promise<void> => {
    try {
      do {
        again = false;
        await call('drawer.index', undefined);
      } while (again);
    } finally {
      // At once, and not a moment after: what is stored in between would wait for nobody.
      running = undefined;
    }
  };
  const ended = (): Promise<void> => {
    again = true;
    running ??= run();
    return running;
  };
  return {
    start: () =>
      void ended().catch((error: unknown) => {
        // The next program that opens the drawer goes on.
        if (asLoomError(error).code === 'DRAWER_CLOSED') return;
        log.error('Indexing failed; until it works again searches read what is not indexed.', error);
      }),
    finish: ended,
    settle: async (ms) => {
      const late = pause(ms, undefined, { ref: false });
      await Promise.race([ended(), late]);
      return (await call('drawer.waiting', undefined)).waiting;
    },
  };
};
