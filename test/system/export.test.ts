/** What the storage writes, read by a program that nobody here wrote. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newSecret } from '#storage/sealing/keySlots.ts';
import { files, open, scratch } from '../storage/harness.ts';

const sqlite3 = (file: string, sql: string): string => {
  try {
    return execFileSync('sqlite3', ['-readonly', file, sql], { encoding: 'utf8' }).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('The program sqlite3 is missing: install it (Debian: apt-get install sqlite3).', { cause: error });
  }
};

test('an export of a sealed drawer opens in sqlite3 and is whole; so does a snapshot that is not sealed', async () => {
  const store = await open(scratch());
  for (let n = 1; n <= 50; n++)
    await store.call('add', { writer: 'e', n, body: new Uint8Array(3_000).fill(n), text: 'word' });
  await store.seal({ kind: 'secretStorage', secret: newSecret() });
  const file = join(scratch(), 'export.sqlite');
  await store.exportTo(file);
  expect(sqlite3(file, 'pragma integrity_check; select count(*), sum(n), sum(length(body)) from note;')).toBe(
    'ok\n50|1275|150000',
  );

  const folder = scratch();
  const plain = await open(folder);
  await plain.call('add', { writer: 'e', n: 1 });
  await plain.checkpoint();
  expect(sqlite3(files(folder, 'sqlite')[0]!, 'pragma integrity_check; select writer, n from note;')).toBe('ok\ne|1');
});
