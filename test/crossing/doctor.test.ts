import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mendDocuments } from '#drawer/documents/mend.ts';
import { lookAtIndex } from '#drawer/index/fullText.ts';
import { drawerFunctions } from '#drawer/index/functions.ts';
import { drawerMigrations } from '#drawer/schema.ts';
import { diagnose } from '#storage/folder/doctor.ts';
import { rig } from '../drawer/rig.ts';
import { runLoom } from '../fixtures.ts';
import { temporary } from './temporary.ts';

const inFile = {
  migrations: [{ room: 'drawer', migrations: drawerMigrations }],
  functions: drawerFunctions,
  mend: mendDocuments,
  look: lookAtIndex,
};

test.each(['nine bytes', 'words '.repeat(5_000)])('loom store leaves an index that is done', async (input) => {
  const folder = temporary();
  expect((await runLoom(folder, ['store'], { input })).notes).toBe('');
  const { out, code } = await runLoom(folder, ['doctor']);
  expect(out).toMatch(/Search index: all of \d+ chunk[^]*SQLite finds it sound/);
  expect({ out, code }).toEqual({ out: expect.not.stringContaining('ERROR'), code: 0 });
});

test.each([
  ['an SQLite file', 'SQLite format 3\0', 'is an SQLite file'],
  ['another file', 'hello', 'is no folder'],
])('LOOM_DB that is %s is told as what it is, and left alone', async (_, content, words) => {
  const file = join(temporary(), 'loom.db');
  writeFileSync(file, content);
  for (const verb of [['doctor'], ['doctor', '--repair'], ['sessions']]) {
    const { code, out, notes } = await runLoom(file, verb);
    expect({ verb, failed: code !== 0, said: out + notes }).toEqual({
      verb,
      failed: true,
      said: expect.stringContaining(words) as string,
    });
  }
  expect(readFileSync(file, 'utf8')).toBe(content);
});

test('documents that wait for the index are no damage: it is said how many chunks wait', async () => {
  const { folder, put, change } = await rig({ unindexed: true });
  await put('a text that a program ended right after storing\n');
  await put('another one\n');
  const said = async (): Promise<string[]> =>
    (await diagnose({ folder, ...inFile })).map(({ level, what }) => `${level} ${what}`);
  expect((await said()).slice(-2)).toEqual([
    expect.stringMatching(/^ok Search index: 2 of 2 chunks not indexed yet/),
    'ok SQLite finds it sound.',
  ]);
  expect((await said()).join()).not.toMatch(/error|malformed/);
  // An index that says that it has everything is judged.
  await change('update document set indexed = chunks');
  expect((await said()).at(-1)).toMatch(/^error The search index is damaged.*what was stored is not/);
});
