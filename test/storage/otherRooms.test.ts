/** Programs that do not have the same rooms, at one drawer: what the owner does not know goes to who knows it. */
import { expect, test } from 'vitest';
import type { RoomMigrations } from '#base/tx.ts';
import { compare, open, Program, scratch, sound } from './harness.ts';
import { extraRoom, notes, withMore } from './notes.ts';

const call = (program: Program, name: string, args?: unknown): Promise<unknown> =>
  program.tell('call', { name: name as never, args: args as never });
const roles = (programs: Program[]): Promise<string[]> =>
  Promise.all(programs.map(async (program) => (await program.tell('health')).role));

test('two programs with a room that the other lacks: each call is answered, and moves the drawer at most once', async () => {
  const folder = scratch();
  const programs = await Program.start(2);
  const [a, b] = programs as [Program, Program];
  expect(await a.open(folder, { extra: 'alpha' })).toBe('owner');
  expect(await b.open(folder, { extra: 'beta' })).toBe('client');
  const moves = 6;
  for (let n = 1; n <= moves; n++) {
    const [name, program] = n % 2 === 1 ? (['beta', b] as const) : (['alpha', a] as const);
    expect(await call(program, `${name}.put`, n)).toBe(Math.ceil(n / 2));
    expect(await call(program, `${name}.all`)).toHaveLength(Math.ceil(n / 2));
    expect(await roles(programs)).toEqual(program === a ? ['owner', 'client'] : ['client', 'owner']);
    // What both know moves nothing.
    for (const one of programs) await call(one, 'add', { writer: name, n: 10 * n + programs.indexOf(one) });
    expect(await roles(programs)).toEqual(program === a ? ['owner', 'client'] : ['client', 'owner']);
  }
  // A move is two links: the one that is released, and the successor's.
  expect((await a.tell('health')).epoch).toBe(1 + 2 * moves);
  for (const program of programs) await program.tell('close');
  expect(await compare(folder, [])).toMatchObject(sound);
});

test('both at once, and a third that knows neither room: nobody waits for ever, and each write is applied once', async () => {
  const folder = scratch();
  const programs = await Program.start(3);
  const [a, b, c] = programs as [Program, Program, Program];
  await a.open(folder, { extra: 'alpha' });
  await b.open(folder, { extra: 'beta' });
  await c.open(folder);
  const rounds = 40;
  const each = async (work: (n: number) => Promise<unknown>): Promise<unknown[]> => {
    const answers = [];
    for (let n = 1; n <= rounds; n++) answers.push(await work(n));
    return answers;
  };
  const counted = Array.from({ length: rounds }, (_, n) => n + 1);
  const [alphas, betas, adds] = await Promise.all([
    each((n) => call(a, 'alpha.put', n)),
    each((n) => call(b, 'beta.put', n)),
    each((n) => call(c, 'add', { writer: 'c', n })),
  ]);
  expect([alphas, betas]).toEqual([counted, counted]);
  expect(adds).toEqual(counted.map((count) => ({ count })));
  expect((await a.tell('health')).epoch).toBeLessThanOrEqual(1 + 2 * (2 * rounds));
  for (const program of programs) await program.tell('close');
  expect(await compare(folder, [])).toMatchObject(sound);
});

test('long work of each is done where it was taken over for, not a slice here and a slice there', async () => {
  const folder = scratch();
  const programs = await Program.start(2);
  const [a, b] = programs as [Program, Program];
  await a.open(folder, { extra: 'alpha' });
  await b.open(folder, { extra: 'beta' });
  const stretches = 60_000;
  await Promise.all([call(a, 'alpha.fill', stretches), call(b, 'beta.fill', stretches)]);
  // Slice by slice it would be 16 links and more.
  expect((await a.tell('health')).epoch).toBeLessThan(12);
  expect([await call(a, 'alpha.filled'), await call(b, 'beta.filled')]).toEqual([stretches, stretches]);
});

test.each(['before-bind', 'published', 'ready'])('who asked is killed at %s: the others go on', async (point) => {
  const folder = scratch();
  const [a, b] = await Program.start(2);
  await a!.open(folder, { extra: 'alpha' });
  await b!.open(folder, { extra: 'beta', trouble: { point, act: 'kill' } });
  const asking = call(b!, 'beta.put', 1);
  await expect(asking).rejects.toMatchObject({ code: 'GONE' });
  expect(await call(a!, 'alpha.put', 1)).toBe(1);
});

test('whoever asked is next, though others wait too', async () => {
  const folder = scratch();
  const owner = await open(folder);
  const others = await Promise.all(Array.from({ length: 6 }, () => open(folder)));
  const alpha = extraRoom('alpha');
  const asking = await open(folder, {
    operations: { ...notes.operations, ...alpha.operations },
    migrations: withMore([], alpha.tables),
  } as never);
  expect(await asking.call('alpha.put' as never, 1 as never)).toBe(1);
  expect((await asking.health()).role).toBe('owner');
  for (const store of [owner, ...others]) expect((await store.health()).role).toBe('client');
  expect((await asking.health()).epoch).toBe(3);
});

test.each(['before-release', 'released'])(
  'an owner is killed at %s while it yields: nothing is lost',
  async (point) => {
    const folder = scratch();
    const [a, b] = await Program.start(2);
    await a!.open(folder, { extra: 'alpha', trouble: { point, act: 'kill' } });
    await b!.open(folder, { extra: 'beta' });
    expect(await call(a!, 'alpha.put', 1)).toBe(1);
    expect(await call(b!, 'beta.put', 1)).toBe(1);
    expect(await a!.gone).toBe('SIGKILL');
    const [c] = await Program.start(1);
    await c!.open(folder, { extra: 'alpha' });
    expect(await call(c!, 'alpha.all')).toEqual([{ n: 1 }]);
  },
);

test('who cannot own the drawer does not make its owner yield', async () => {
  const folder = scratch();
  const passphrase = 'correct horse battery staple';
  const owner = await open(folder, { keys: () => ({ passphrase }) });
  await owner.seal({ kind: 'passphrase', passphrase });
  const { epoch } = await owner.health();
  const alpha = extraRoom('alpha');
  const operations = { ...notes.operations, ...alpha.operations };
  const rooms = { operations, migrations: withMore([], alpha.tables) };
  const keyless = await open(folder, rooms as never);
  await expect(keyless.call('alpha.put' as never, 1 as never)).rejects.toMatchObject({
    code: 'DRAWER_PROTOCOL',
    message: /does not know "alpha.put".*passphrase/s,
  });
  const guest = await open(folder, { ...rooms, clientOnly: true } as never);
  await expect(guest.call('alpha.put' as never, 1 as never)).rejects.toMatchObject({ code: 'DRAWER_PROTOCOL' });
  expect(await keyless.call('count', undefined)).toBe(0);
  expect(await owner.health()).toMatchObject({ role: 'owner', epoch });
});

test('an older program is told so, and does not take the drawer from a newer one again and again', async () => {
  const folder = scratch();
  const step: RoomMigrations['migrations'][number] = { name: 'n', up: (tx) => void tx.run('create table n (n)') };
  const { tallies, ...rest } = notes.operations;
  const newer = await open(folder, { operations: rest as never, migrations: withMore([step]) });
  await newer.call('add', { writer: 'n', n: 1 });
  const older = await open(folder, { operations: { ...rest, tallies } });
  await expect(older.call('tallies', undefined)).rejects.toMatchObject({ code: 'DRAWER_NEWER' });
  expect(await newer.call('count', undefined)).toBe(1);
  const { epoch } = await newer.health();
  expect(await older.call('count', undefined)).toBe(1);
  await expect(older.call('tallies', undefined)).rejects.toMatchObject({
    code: 'DRAWER_PROTOCOL',
    message: /does not know "tallies".*newer version/s,
  });
  expect(await newer.health()).toMatchObject({ role: 'owner', epoch });
});
