/** A folder put back to an older state is noticed by whoever kept, beside it, how far the drawer was. */
import { cpSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lookBack } from '#vscode/storage/rollback.ts';
import { open, scratch, visit } from './harness.ts';

const memento = () => {
  const kept = new Map<string, unknown>();
  return {
    get: <T>(key: string) => kept.get(key) as T | undefined,
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
};

test('an older copy is told once; growth, a new drawer and a client are not', async () => {
  const [folder, backup] = [scratch(), `${scratch()}.backup`];
  const state = memento();
  const add = (n: number) =>
    visit(folder, async (store) => {
      await store.call('add', { writer: 'k', n });
      const client = await open(folder);
      return [await lookBack(await store.health(), state), await lookBack(await client.health(), state)];
    });
  expect(await add(1)).toEqual([undefined, undefined]);
  cpSync(folder, backup, { recursive: true, filter: (name) => !/[/]s\.[^/]*$/.test(name) });
  expect(await add(2)).toEqual([undefined, undefined]);
  expect(await add(3)).toEqual([undefined, undefined]);
  rmSync(folder, { recursive: true });
  cpSync(backup, folder, { recursive: true });
  const look = () => visit(folder, async (store) => lookBack(await store.health(), state));
  expect(await look()).toMatchObject({ writes: 6 });
  expect(await look()).toBeUndefined();
  rmSync(folder, { recursive: true });
  rmSync(backup, { recursive: true });
  expect(await look()).toBeUndefined();
});
