// Sees to it that what cells put out gets into their records, also late or at a second try.
import type { Log } from '#base/log.ts';
import type { Execution } from './execution.ts';
import type { History } from './history.ts';

/** Milliseconds after which late output is written down, and after which a record that was refused is tried again. */
const lateDelay = 500;
const retryDelay = 10_000;

export class Keeper {
  readonly #history: History;
  readonly #log: Log;
  readonly #due = new Map<Execution, NodeJS.Timeout>();
  readonly #keeping = new Map<Execution, Promise<void>>();
  readonly #indexing = new Set<Promise<void>>();

  constructor(history: History, log: Log) {
    this.#history = history;
    this.#log = log;
  }

  /** Something came after its end. */
  late(execution: Execution): void {
    if (!this.#due.has(execution)) this.#plan(execution, lateDelay);
  }

  /** Writes down what an execution is now. */
  async keep(execution: Execution): Promise<void> {
    clearTimeout(this.#due.get(execution));
    this.#due.delete(execution);
    const before = this.#keeping.get(execution);
    const keeping = (async () => {
      await before;
      try {
        await this.#history.keep(execution);
      } catch (error) {
        // Its output stays readable in this process; a cell is not lost because the drawer is full.
        execution.unsaved = (error as Error).message;
        this.#log.error(`execution ${execution.number} was not kept`, error);
        this.#plan(execution, retryDelay);
      }
    })();
    this.#keeping.set(execution, keeping);
    await keeping;
    if (this.#keeping.get(execution) === keeping) this.#keeping.delete(execution);
  }

  /** Before it is shown: what there is of it is on disk when this resolves, or its `doubt` says that it is not. */
  async secure(execution: Execution): Promise<void> {
    if (execution.running) execution.flush();
    else if (this.#due.has(execution)) await this.keep(execution);
    else await this.#keeping.get(execution);
  }

  /** Lets searches find it. Nobody waits for that. */
  index(execution: Execution): void {
    const indexing = this.#history
      .index(execution)
      .catch((error: unknown) => this.#log.error(`execution ${execution.number} was not indexed`, error))
      .finally(() => this.#indexing.delete(indexing));
    this.#indexing.add(indexing);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#due.keys()].map((execution) => this.keep(execution)));
    for (const timer of this.#due.values()) clearTimeout(timer);
    await Promise.all([...this.#keeping.values(), ...this.#indexing]);
    this.#history.dispose();
  }

  #plan(execution: Execution, delay: number): void {
    clearTimeout(this.#due.get(execution));
    this.#due.set(
      execution,
      setTimeout(() => void this.keep(execution), delay),
    );
  }
}
