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
