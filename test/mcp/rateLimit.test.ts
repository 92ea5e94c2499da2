import { expect, test } from 'vitest';
import { openRateLimiter, type RateClock } from '#mcp/call/rateLimit.ts';

/** A clock that goes on only where something sleeps, or is told to. */
const steppedClock = (): RateClock & { step: (ms: number) => void; slept: number[] } => {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    step: (ms) => void (now += ms),
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
};

const { signal } = new AbortController();
const rate = { rpm: 60, burst: 3 };

test('a burst passes at once, then a call sleeps for its turn', async () => {
  const clock = steppedClock();
  const limiter = openRateLimiter(rate, clock);
  for (let n = 0; n < 3; n++) await limiter.take('a', signal);
  expect(clock.slept).toEqual([]);
  await limiter.take('a', signal);
  expect(clock.slept).toEqual([1_000]);
  // Another client is not held up, and a pause fills the bucket again.
  await limiter.take('b', signal);
  clock.step(10_000);
  for (let n = 0; n < 3; n++) await limiter.take('a', signal);
  expect(clock.slept).toEqual([1_000]);
});

test('two seconds are too long to sleep: the refusal says how long it is, and takes nothing', async () => {
  const clock: RateClock = { now: () => 0, sleep: async () => undefined };
  const limiter = openRateLimiter(rate, clock);
  for (let n = 0; n < 4; n++) await limiter.take('a', signal);
  for (let n = 0; n < 5; n++)
    await expect(limiter.take('a', signal)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterS: 2 });
});

test('a call that is cancelled while it sleeps gives its turn back', async () => {
  const clock = steppedClock();
  const limiter = openRateLimiter(rate, clock);
  for (let n = 0; n < 3; n++) await limiter.take('a', signal);
  await expect(limiter.take('a', AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' });
  await limiter.take('a', signal);
  expect(clock.slept).toEqual([1_000]);
});

test('a thousand clients are remembered, and the one that called last among them', async () => {
  const limiter = openRateLimiter({ rpm: 1, burst: 1 }, { now: () => 0, sleep: async () => undefined });
  for (let n = 0; n < 5_000; n++) await limiter.take(`client ${n}`, signal);
  await expect(limiter.take('client 4999', signal)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await limiter.take('client 0', signal);
});
