import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onTinyDisk } from './tinyDisk.ts';

test('a disk that is really full: writes are refused and undone, reading goes on, and so does writing when there is room', () => {
  const said = JSON.parse(onTinyDisk(3, join(import.meta.dirname, 'fullDisk.ts'))) as Record<string, number>;
  expect(said).toMatchObject({ refusals: ['DRAWER_UNWRITABLE'], readable: said['whenFull'], integrity: 'ok' });
  expect(said['whenFull']).toBeGreaterThan(20);
  expect(said['afterRoom']).toBeGreaterThan(said['whenFull']!);
  expect(said['count']).toBe(said['afterRoom']);
});
