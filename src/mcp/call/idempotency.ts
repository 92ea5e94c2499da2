// A call that comes again with its key is answered as before, and nothing is done twice.
import { createHash } from 'node:crypto';
import { LoomError, type ErrorCode } from '#base/errors.ts';
import type { Answer } from '#mcp/defineTool.ts';

/** What a call came to, as it can be answered again. */
export type Outcome = {
  answer: Answer;
  /** Why it was refused, and whether the same call may pass later. */
  code?: ErrorCode;
  retryable?: boolean;
  details?: Readonly<Record<string, unknown>>;
};

const keptMs = 15 * 60_000;
const mostKept = 500;
/** UTF-16 units of all answers that are kept together. */
const mostUnits = 8 * 1024 * 1024;
const mostKey = 200;

const keyNames = ['_idempotency_key', 'idempotency_key'];

type Fields = Record<string, unknown>;

/** A call's idempotency key, and its arguments without it. */
export const takeKey = (args: Fields, known: readonly string[]): { key: string | undefined; args: Fields } => {
  const name = keyNames.find((each) => Object.hasOwn(args, each) && !known.includes(each));
  if (name === undefined) return { key: undefined, args };
  const { [name]: value, ...rest } = args;
  const key = typeof value === 'number' ? String(value) : value;
  if (typeof key !== 'string' || key === '' || key.length > mostKey)
    throw new LoomError(
      'INVALID_ARGUMENTS',
      `${name}: must be a text of 1 to ${mostKey} characters, a new one for each call that is meant anew; nothing was done.`,
    );
  return { key, args: rest };
};

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
};

const digest = (args: Fields): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(args)))
    .digest('base64');

const unitsOf = ({ answer }: Outcome): number =>
  answer.parts.reduce((sum, part) => sum + part.length, 0) +
  (answer.images ?? []).reduce((sum, { data }) => sum + data.length, 0);

/** What may pass when it is tried again is tried again; everything else was the answer. */
const isFinal = ({ retryable = false }: Outcome): boolean => !retryable;

type Kept = { args: string; at: number; units: number; outcome: Promise<Outcome> };

/** First answers of calls that came with an idempotency key, for a while. Time is in milliseconds that only grow. */
export class Replays {
  readonly #kept = new Map<string, Kept>();
  readonly #now: () => number;
  #units = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Runs `work` once for all calls of this caller and key, and answers each of them alike; twins wait for the first. The
   * same key with other arguments is refused.
   */
  async once(
    caller: string,
    key: string,
    args: Fields,
    work: () => Promise<Outcome>,
  ): Promise<Outcome & { replayed: boolean }> {
    const id = JSON.stringify([caller, key]);
    const own = digest(args);
    for (;;) {
      this.#forget();
      const first = this.#kept.get(id);
      if (first === undefined) return { ...(await this.#run(id, own, work)), replayed: false };
      if (first.args !== own)
        throw new LoomError(
          'KEY_REUSED',
          'This idempotency key came before, with other arguments; nothing was done. Use a new key for a new call.',
        );
      const outcome = await first.outcome;
      if (isFinal(outcome)) return { ...outcome, replayed: true };
      // It was given up or may be tried again, and this is the try.
    }
  }

  async #run(id: string, args: string, work: () => Promise<Outcome>): Promise<Outcome> {
    const kept: Kept = { args, at: this.#now(), units: 0, outcome: work() };
    this.#kept.set(id, kept);
    const drop = (): void => {
      if (this.#kept.get(id) === kept) this.#kept.delete(id);
    };
    try {
      const outcome = await kept.outcome;
      if (!isFinal(outcome)) drop();
      else if (this.#kept.get(id) === kept) this.#units += kept.units = unitsOf(outcome);
      return outcome;
    } catch (error) {
      drop();
      throw error;
    }
  }

  #forget(): void {
    for (const [id, { at, units }] of this.#kept) {
      const old = this.#now() - at > keptMs;
      if (!old && this.#kept.size < mostKept && this.#units < mostUnits) break;
      this.#kept.delete(id);
      this.#units -= units;
    }
  }
}
