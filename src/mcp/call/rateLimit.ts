// How many calls a session and a client may make.
import { setTimeout as sleep } from 'node:timers/promises';
import { LoomError } from '#base/errors.ts';

/** Calls a minute in the long run, and at once after a pause. */
export type Rate = { rpm: number; burst: number };
export const defaultRate: Rate = { rpm: 600, burst: 120 };

/** A shorter wait than this is slept; a longer one is told to the caller. Milliseconds. */
const patience = 2_000;
/** A bucket that nobody used until it was full again holds nothing worth keeping. */
const most = 1_000;

export type RateLimiter = {
  /** Takes one call of `key` (a client in a session). Rejects with `RATE_LIMITED` where it would have to wait too long. */
  take: (key: string, signal: AbortSignal) => Promise<void>;
};

export type RateClock = {
  /** Milliseconds that only grow. */
  now: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

const realClock: RateClock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

const limited = (waitMs: number, { rpm, burst }: Rate): LoomError => {
  const seconds = Math.ceil(waitMs / 1_000);
  return new LoomError(
    'RATE_LIMITED',
    `More than ${burst} calls at once, or ${rpm} a minute; nothing was done. retry_after_s: ${seconds}. Ask for more in one call: ctx_get takes ids, ctx_store_file takes paths and globs.`,
    { retryAfterS: seconds },
  );
};

/**
 * A token bucket a key. A call that comes too soon takes its turn in advance and waits for it, so that of many that wait each
 * gets through; one that would wait `patience` or longer takes nothing.
 */
export const openRateLimiter = (rate: Rate, clock: RateClock = realClock): RateLimiter => {
  const perMs = rate.rpm / 60_000;
  const buckets = new Map<string, { tokens: number; at: number }>();
  const refilled = ({ tokens, at }: { tokens: number; at: number }, now: number): number =>
    Math.min(rate.burst, tokens + (now - at) * perMs);
  const makeRoom = (now: number): void => {
    for (const [key, bucket] of buckets) if (refilled(bucket, now) >= rate.burst) buckets.delete(key);
    for (const key of buckets.keys()) if (buckets.size >= most) buckets.delete(key);
  };
  return {
    take: async (key, signal) => {
      const now = clock.now();
      if (!buckets.has(key) && buckets.size >= most) makeRoom(now);
      const tokens = refilled(buckets.get(key) ?? { tokens: rate.burst, at: now }, now) - 1;
      const wait = tokens >= 0 ? 0 : -tokens / perMs;
      if (wait >= patience) throw limited(wait, rate);
      // Deleted first, so that the map's order is that of use.
      buckets.delete(key);
      buckets.set(key, { tokens, at: now });
      if (wait === 0) return;
      try {
        await clock.sleep(wait, signal);
      } catch (error) {
        const bucket = buckets.get(key);
        if (bucket !== undefined) bucket.tokens += 1;
        throw new LoomError('CANCELLED', 'The call was cancelled before it began.', { cause: error });
      }
    },
  };
};
