/** What a person can find out and do: doctor, repair, unlock, export. */
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnose } from '#storage/folder/doctor.ts';
import { mountType, networkName } from '#storage/file/filesystem.ts';
import { linkFile } from '#storage/file/layout.ts';
import { repair } from '#storage/folder/repair.ts';
import type { Finding } from '#storage/types.ts';
import { files, open, recordsOf, scratch, spoil, visit } from './harness.ts';
import { inFile } from './notes.ts';

const problems = (findings: Finding[]): string[] =>
  findings.filter(({ level }) => level !== 'ok').map(({ level, what, fix }) => `${level} ${what} → ${fix}`);

/** A drawer of three writes, two of them in the journal of a later owner. */
const drawer = async (): Promise<string> => {
  const folder = scratch();
  await visit(folder, (store) => store.call('add', { writer: 'd', n: 1 }));
  await visit(folder, async (store) => {
    await store.call('add', { writer: 'd', n: 2 });
    await store.call('add', { writer: 'd', n: 3 });
  });
  return folder;
};

test('a healthy drawer has no problems, whether it is held or not', async () => {
  const folder = await drawer();
  expect(problems(await diagnose(inFile(folder)))).toEqual([]);
  const store = await open(folder);
  await store.checkpoint();
  const findings = await diagnose(inFile(folder));
  expect(problems(findings)).toEqual([]);
  expect(findings.map(({ what }) => what).join('\n')).toMatch(/on this machine holds the drawer[^]*whole[^]*sound/);
  expect(problems(await diagnose(inFile(join(folder, 'none'))))).toEqual([]);
});

test('damage is named with its file, what is readable and the way out; repair goes on with that', async () => {
  const folder = await drawer();
  const log = files(folder, 'log').at(-1)!;
  spoil(log, recordsOf(log)[0]!, 60);
  const damaged = readFileSync(log);
  const said = problems(await diagnose(inFile(folder))).join('\n');
  expect(said).toMatch(/error .*drawer\.3\.log: .*unreadable from byte/);
  expect(said).toMatch(/loom export FILE[^]*loom doctor --repair/);
  const held = await open(folder);
  expect((await held.health()).role).toBe('view');
  await held.close();
  const { missing, aside } = await repair(inFile(folder));
  expect(missing.join()).toMatch(/journal 3/);
  expect(readFileSync(join(aside, 'drawer.3.log'))).toEqual(damaged);
  await visit(folder, async (store) => {
    expect((await store.health()).role).toBe('owner');
    expect(await store.call('all', undefined)).toEqual(['d 1', 'd 3']);
    await store.call('add', { writer: 'd', n: 4 });
  });
  expect(await visit(folder, (store) => store.call('all', undefined))).toEqual(['d 1', 'd 3', 'd 4']);
  expect(problems(await diagnose(inFile(folder)))).toEqual([expect.stringMatching(/^warning .*put aside/)]);
});

test('repair leaves a whole drawer and a held one alone', async () => {
  const folder = await drawer();
  await expect(repair(inFile(folder))).rejects.toThrow('nothing to repair');
  await open(folder);
  await expect(repair(inFile(folder))).rejects.toThrow('held by a program');
});

test('a foreign owner, a missing key and a torn end are named', async () => {
  const foreign = scratch();
  writeFileSync(
    linkFile(foreign, 1),
    JSON.stringify({ nonce: 'n', host: 'attic', machine: 'm', boot: 'b', app: '1.2' }),
  );
  expect(problems(await diagnose(inFile(foreign))).join()).toMatch(/attic, Loom 1.2.*loom unlock/);
  const sealed = await drawer();
  await visit(sealed, (store) => store.seal({ kind: 'passphrase', passphrase: 'long enough' }));
  expect(problems(await diagnose(inFile(sealed))).join()).toMatch(/sealed.*LOOM_DB_PASSWORD/s);
  const keys = () => ({ passphrase: 'long enough' });
  expect(problems(await diagnose({ ...inFile(sealed), keys }))).toEqual([]);
});

test('an export is whole, and one of a damaged drawer says what is missing', async () => {
  const folder = await drawer();
  const file = join(scratch(), 'out.sqlite');
  const client = await visit(folder, async (store) => {
    const other = await open(folder);
    const made = await other.exportTo(file);
    await expect(store.exportTo(file)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    return made;
  });
  expect(client).toEqual({ bytes: readFileSync(file).length, missing: [] });
  expect(readFileSync(file).toString('latin1', 0, 15)).toBe('SQLite format 3');
  truncateSync(files(folder, 'log')[0]!, 30);
  rmSync(file);
  const { missing } = await visit(folder, (store) => store.exportTo(file));
  expect(missing.join()).toMatch(/header of journal/);
  expect(existsSync(file)).toBe(true);
});

test('network file systems are told from others', () => {
  const cases: [number, string | undefined, string | undefined][] = [
    [0xef53, 'ext4', undefined],
    [0x01021994, 'tmpfs', undefined],
    [0x6969, 'nfs4', 'NFS'],
    [0xfe534d42, 'cifs', 'SMB2'],
    [0x01021997, '9p', '9p'],
    [0x65735546, 'fuse.sshfs', 'fuse.sshfs'],
    [0x65735546, 'fuse.rclone', 'fuse.rclone'],
    [0x65735546, 'fuseblk', undefined],
    [0x65735546, 'fuse.gocryptfs', undefined],
  ];
  for (const [number, mount, name] of cases) expect(networkName(number, () => mount)).toBe(name);
  const mounts = [
    { at: '/', type: 'ext4' },
    { at: '/home', type: 'xfs' },
    { at: '/home/me/far', type: 'fuse.sshfs' },
  ];
  expect(['/homeless', '/home/me', '/home/me/far/x'].map((path) => mountType(path, mounts))).toEqual([
    'ext4',
    'xfs',
    'fuse.sshfs',
  ]);
});
