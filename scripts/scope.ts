import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

type Close = () => unknown;

/** Holds what a script has opened. */
export class Scope {
  readonly #closers: Close[] = [];
  readonly #tellers: (() => void)[] = [];
  #closed = false;

  /** Throws where the scope is closed already: work that was interrupted must not go on and open more. */
  assertOpen(): void {
    if (this.#closed) throw new Error('the script is ending');
  }

  /** `close` runs at the end, last first. Call it before opening what it closes, since it may throw. */
  defer(close: Close): void {
    this.assertOpen();
    this.#closers.push(close);
  }

  /** `tell` prints what helps to understand a failure. */
  onFailure(tell: () => void): void {
    this.#tellers.push(tell);
  }

  /** A new folder that is gone afterwards. */
  folder(name: string): string {
    this.assertOpen();
    const path = mkdtempSync(join(tmpdir(), `loom-${name}-`));
    // A process that was just killed may still be writing.
    this.defer(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 }));
    return path;
  }

  tell(): void {
    for (const tell of this.#tellers) tell();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const close of this.#closers.splice(0).reverse())
      try {
        await close();
      } catch (error) {
        console.error('at the end:', error);
      }
  }
}

class Interrupted extends Error {
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP';
  constructor(signal: Interrupted['signal']) {
    super(`ended by ${signal}`);
    this.signal = signal;
  }
}

/** Ends every scope that is open. Never replaced, so that a second signal cannot cut the cleaning short. */
const open = new Set<(error: Interrupted) => void>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    for (const end of open) end(new Interrupted(signal));
    if (open.size === 0) process.exit(128 + constants.signals[signal]);
  });

/** Runs `work`; what it opened is closed when it ends, fails, or the process is told to end. */
export const scoped = async <R>(work: (scope: Scope) => Promise<R>): Promise<R> => {
  const scope = new Scope();
  const interrupted = Promise.withResolvers<never>();
  open.add(interrupted.reject);
  try {
    return await Promise.race([work(scope), interrupted.promise]);
  } catch (error) {
    if (!(error instanceof Interrupted)) scope.tell();
    throw error;
  } finally {
    await scope.close();
    open.delete(interrupted.reject);
  }
};

/** The body of a script: `work` in a scope, then the process ends with its exit code, with 1 after a failure. */
export const main = async (work: (scope: Scope) => Promise<number>): Promise<never> => {
  try {
    process.exit(await scoped(work));
  } catch (error) {
    if (error instanceof Interrupted) process.exit(128 + constants.signals[error.signal]);
    console.error(error);
    process.exit(1);
  }
};
