import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runLoom } from '../fixtures.ts';
import { temporary } from './temporary.ts';

test('a document whose words are not in the index yet is no damage', async () => {
  const folder = temporary();
  expect((await runLoom(folder, ['store'], { input: 'a text that a program ended right after storing\n' })).code).toBe(
    0,
  );
  const { out, code } = await runLoom(folder, ['doctor']);
  expect(out).toMatch(/SQLite finds it sound/);
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
