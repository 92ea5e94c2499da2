/** Never two owners, and never none for long. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linkFile } from '#storage/file/layout.ts';
import { thisMachine } from '#storage/machine/machine.ts';
import { unlock } from '#storage/folder/unlock.ts';
import { compare, files, open, pause, Program, scratch, sound, until, visit } from './harness.ts';
import { startTogether } from './race.ts';

/** The link of an owner that may be anything but the one of this process. */
const plant = (folder: string, epoch: number, members: object): void => {
  const link = { nonce: 'n', owner: 'gone', address: 's.gone', secret: 's', protocol: [1, 1], format: 1, app: '' };
  writeFileSync(linkFile(folder, epoch), JSON.stringify({ ...link, ...thisMachine(), ...members }));
};

test.each([2, 4, 8])('%i programs start at the same instant, 20 times: one owner', async (count) => {
  await startTogether(count, 20, scratch());
});

test('an owner that was killed is succeeded by a waiting client, and what it acknowledged is there', async () => {
  const folder = scratch();
  const [a, b] = await Program.start(2);
  expect([await a!.open(folder), await b!.open(folder)]).toEqual(['owner', 'client']);
  await b!.tell('call', { name: 'add' as never, args: { writer: 'b', n: 1 } as never });
  await a!.kill();
  expect(await b!.tell('call', { name: 'all' as never, args: undefined as never })).toEqual(['b 1']);
  expect((await b!.tell('health')).role).toBe('owner');
});

test('an owner that is stopped is waited for; the event loop of who waits goes on', async () => {
  const folder = scratch();
  const [a] = await Program.start(1);
  await a!.open(folder);
  const b = await open(folder);
  await a!.kill('SIGSTOP');
  await expect(b.call('count', undefined, { deadline: 300 })).rejects.toMatchObject({ code: 'DEADLINE' });
  let ticks = 0;
  const timer = setInterval(() => ticks++, 10);
  const waiting = b.call('add', { writer: 'b', n: 1 });
  await until(() => ticks > 10, 'timers while a call waits');
  clearInterval(timer);
  await a!.kill('SIGCONT');
  expect(await waiting).toEqual({ count: 1 });
  expect((await b.health()).role).toBe('client');
});

test('an owner that was stopped, succeeded by force and resumed answers nobody and loses nothing', async () => {
  const folder = scratch();
  const [a, b] = await Program.start(2);
  const setup = { witness: false };
  await a!.open(folder, setup);
  const acks = join(folder, '..', `${folder.split('/').at(-1)}.acks`);
  const writing = a!.tell('write', { writer: 'a', acks });
  await until(() => files(folder, 'log').length > 0, 'the first writes');
  await a!.kill('SIGSTOP');
  unlock({ folder, force: true });
  await b!.open(folder, setup);
  expect((await b!.tell('health')).role).toBe('owner');
  await b!.tell('call', { name: 'add' as never, args: { writer: 'b', n: 1 } as never });
  await a!.kill('SIGCONT');
  await until(async () => (await a!.tell('health')).role === 'client', 'the old owner to be a client');
  await pause(50);
  await a!.tell('stop');
  await writing;
  await a!.tell('close');
  await b!.tell('close');
  expect(await compare(folder, [acks])).toMatchObject(sound);
  rmSync(acks);
});

test.runIf(process.platform === 'linux')(
  'an owner that stays stopped is succeeded by who waits for it; when it goes on it is a client, and nothing is lost',
  async () => {
    const folder = scratch();
    const [a] = await Program.start(1);
    await a!.open(folder, { witness: false });
    const acks = join(folder, '..', `${folder.split('/').at(-1)}.acks`);
    const writing = a!.tell('write', { writer: 'a', acks });
    const b = await open(folder, { stoppedMs: 1_500 });
    await until(() => files(folder, 'log').length > 0, 'the first writes');
    await a!.kill('SIGSTOP');
    // Both wait, and both are answered.
    await Promise.all([b.call('add', { writer: 'b', n: 1 }), b.call('all', undefined)]);
    expect((await b.health()).role).toBe('owner');
    await a!.kill('SIGCONT');
    await until(async () => (await a!.tell('health')).role === 'client', 'the old owner to be a client');
    await a!.tell('stop');
    await writing;
    await a!.tell('close');
    await b.close();
    expect(await compare(folder, [acks])).toMatchObject(sound);
    rmSync(acks);
  },
);

test('a candidate that slept over 30 successions does not become owner by its stale judgement', async () => {
  const folder = scratch();
  await visit(folder, (store) => store.call('add', { writer: 's', n: 0 }));
  const [late] = await Program.start(1);
  const opening = late!.open(folder, { trouble: { point: 'bound', act: 'stop' } });
  await until(() => readdirSync(folder).some((name) => name.startsWith('s.')), 'the candidate to bind');
  await pause(100);
  for (let n = 1; n <= 30; n++) await visit(folder, (store) => store.call('add', { writer: 's', n }));
  const current = await open(folder);
  await late!.kill('SIGCONT');
  expect(await opening).toBe('client');
  expect(await late!.tell('call', { name: 'count' as never, args: undefined as never })).toBe(31);
  expect((await current.health()).role).toBe('owner');
  // Links are tidied from below, all but the first.
  const links = readdirSync(folder).filter((name) => name.startsWith('owner.'));
  expect(links).toContain('owner.1');
  expect(links.length).toBeLessThan(20);
});

test('a socket that was removed under a live owner: somebody else owns the drawer, and both are answered', async () => {
  const folder = scratch();
  const a = await open(folder);
  await a.call('add', { writer: 'a', n: 1 });
  for (const name of readdirSync(folder)) if (name.startsWith('s.')) rmSync(join(folder, name));
  const b = await open(folder);
  await Promise.all([a.call('add', { writer: 'a', n: 2 }), b.call('add', { writer: 'b', n: 1 })]);
  expect(await a.call('count', undefined)).toBe(3);
  expect((await b.health()).role).toBe('owner');
});

test('links that were removed: a live owner steps down, a closed drawer opens', async () => {
  const folder = scratch();
  const unlink = (): void => {
    for (const name of readdirSync(folder)) if (name.startsWith('owner.')) rmSync(join(folder, name));
  };
  const a = await open(folder);
  await a.call('add', { writer: 'a', n: 1 });
  unlink();
  await a.call('add', { writer: 'a', n: 2 });
  await a.close();
  unlink();
  expect(await visit(folder, (store) => store.call('all', undefined))).toEqual(['a 1', 'a 2']);
});

test.each(['', '{"nonce":"ab', 'null'])('a torn link (%j) is waited for and then succeeded', async (text) => {
  const folder = scratch();
  writeFileSync(linkFile(folder, 3), text);
  expect((await (await open(folder)).health()).epoch).toBe(4);
});

test('an owner before the last start of this machine is succeeded at once', async () => {
  const folder = scratch();
  plant(folder, 3, { boot: 'another' });
  expect((await (await open(folder)).health()).epoch).toBe(4);
});

test('an owner on another machine: refused with a way out; what it released is taken', async () => {
  const folder = scratch();
  const elsewhere = { machine: 'other', host: 'attic', boot: 'other' };
  plant(folder, 3, elsewhere);
  await expect(open(folder)).rejects.toMatchObject({ code: 'DRAWER_FOREIGN', message: /attic.*loom unlock/s });
  expect(readdirSync(folder)).toEqual(['owner.3']);
  expect(unlock({ folder })).toMatchObject({ host: 'attic' });
  expect((await (await open(folder)).health()).epoch).toBe(5);
  const released = join(folder, 'released');
  mkdirSync(released);
  plant(released, 7, { ...elsewhere, released: true });
  expect((await (await open(released)).health()).epoch).toBe(8);
});

test('unlock refuses while the owner is of this machine', async () => {
  const folder = scratch();
  await open(folder);
  expect(() => unlock({ folder })).toThrow('this machine');
});

test('an address that somebody else listens on is not taken for the owner', async () => {
  const folder = scratch();
  const other = scratch();
  const stranger = await open(other);
  await stranger.call('add', { writer: 'stranger', n: 1 });
  const socket = readdirSync(other).find((name) => name.startsWith('s.'))!;
  plant(folder, 3, { address: join(other, socket) });
  await expect(open(folder, { openMs: 400 })).rejects.toMatchObject({ code: 'DEADLINE' });
});
