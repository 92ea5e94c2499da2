import { expect, test } from 'vitest';
import { Replays, takeKey, type Outcome } from '#mcp/call/idempotency.ts';

const answer = (text: string): Outcome => ({ answer: { parts: [text] } });

/** Counts how often work is really done. */
const counted = (outcomes: (n: number) => Outcome | Promise<Outcome>) => {
  const work = Object.assign(async (): Promise<Outcome> => outcomes(++work.times), { times: 0 });
  return work;
};

test('the same caller, key and arguments get the first answer, whatever the order of the arguments', async () => {
  const replays = new Replays();
  const work = counted((n) => answer(`answer ${n}`));
  const first = await replays.once('me', 'k', { a: 1, b: [{ c: 2, d: 3 }] }, work);
  const again = await replays.once('me', 'k', { b: [{ d: 3, c: 2 }], a: 1 }, work);
  expect([first.replayed, again.replayed, work.times]).toEqual([false, true, 1]);
  expect(again.answer).toEqual(first.answer);
  expect((await replays.once('you', 'k', { a: 1 }, work)).answer).toEqual(answer('answer 2').answer);
  await expect(replays.once('me', 'k', { a: 2 }, work)).rejects.toMatchObject({ code: 'KEY_REUSED' });
});

test('twins run once', async () => {
  const replays = new Replays();
  const gate = Promise.withResolvers<Outcome>();
  const work = counted(() => gate.promise);
  const twins = Promise.all([1, 2, 3].map(() => replays.once('me', 'k', {}, work)));
  gate.resolve(answer('once'));
  expect((await twins).map(({ answer: { parts } }) => parts[0])).toEqual(['once', 'once', 'once']);
  expect(work.times).toBe(1);
});

test('what may be retried is not kept, also for a twin that waited; a lasting refusal is', async () => {
  const replays = new Replays();
  const work = counted((n) =>
    n === 1 ? { ...answer('cancelled'), code: 'CANCELLED', retryable: true } : answer('done'),
  );
  const [first, twin] = await Promise.all([replays.once('me', 'k', {}, work), replays.once('me', 'k', {}, work)]);
  expect([first.code, twin.code, work.times]).toEqual(['CANCELLED', undefined, 2]);
  const refused = counted(() => ({ ...answer('no'), code: 'NOT_FOUND' }));
  for (let n = 0; n < 2; n++) await replays.once('me', 'other', {}, refused);
  expect(refused.times).toBe(1);
});

test('answers are kept for a quarter of an hour, 500 of them, 8 MB of them', async () => {
  let now = 0;
  const replays = new Replays(() => now);
  const work = counted((n) => answer(`${n}`));
  const again = async (key: string): Promise<boolean> => (await replays.once('me', key, {}, work)).replayed;
  await again('first');
  now += 15 * 60_000 + 1;
  expect(await again('first')).toBe(false);
  for (let n = 0; n < 500; n++) await again(`${n}`);
  expect([await again('first'), await again('499')]).toEqual([false, true]);
  const large = counted(() => answer('x'.repeat(3 * 1024 * 1024)));
  for (const key of ['a', 'b', 'c', 'd']) await replays.once('me', key, {}, large);
  expect((await replays.once('me', 'a', {}, large)).replayed).toBe(false);
});

test('the key is taken out of the arguments by either name, and must be one', () => {
  expect(takeKey({ _idempotency_key: 'k', id: 'd7' }, ['id'])).toEqual({ key: 'k', args: { id: 'd7' } });
  expect(takeKey({ idempotency_key: 7 }, [])).toEqual({ key: '7', args: {} });
  expect(takeKey({ id: 'd7' }, ['id'])).toEqual({ key: undefined, args: { id: 'd7' } });
  for (const key of ['', 'x'.repeat(201), {}, null])
    expect(() => takeKey({ _idempotency_key: key }, [])).toThrow('_idempotency_key: must be a text of');
});
