import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cached } from '#scripts/cache.ts';
import { scoped } from '#scripts/scope.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loom-cache-'));
  vi.stubEnv('LOOM_TEST_CACHE', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('it is filled once, under another name', async () => {
  const fill = vi.fn(async (part: string) => {
    expect(existsSync(join(folder, 'thing'))).toBe(false);
    writeFileSync(join(part, 'file'), 'whole');
  });
  for (const _ of [1, 2]) await scoped((scope) => cached(scope, 'thing', fill));
  expect(fill).toHaveBeenCalledOnce();
  expect(readdirSync(folder)).toEqual(['thing']);
});

test('of two that fill it at once both get the same, and nothing else is left', async () => {
  const both = Promise.withResolvers<void>();
  let filling = 0;
  const fill = async (part: string): Promise<void> => {
    writeFileSync(join(part, 'file'), 'whole');
    filling += 1;
    if (filling === 2) both.resolve();
    await both.promise;
  };
  const got = await Promise.all([1, 2].map(() => scoped((scope) => cached(scope, 'thing', fill))));
  expect(got).toEqual([join(folder, 'thing'), join(folder, 'thing')]);
  expect(readdirSync(folder)).toEqual(['thing']);
  expect(readdirSync(join(folder, 'thing'))).toEqual(['file']);
});

test('a failure leaves nothing behind, and the next run fills it', async () => {
  const failing = scoped((scope) =>
    cached(scope, 'thing', async (part) => {
      writeFileSync(join(part, 'file'), 'half');
      throw new Error('the network is down');
    }),
  );
  await expect(failing).rejects.toThrow('the network is down');
  expect(readdirSync(folder)).toEqual([]);
  await scoped((scope) => cached(scope, 'thing', async () => undefined));
  expect(readdirSync(folder)).toEqual(['thing']);
});
