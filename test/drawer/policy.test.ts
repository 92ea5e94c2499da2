import { expect, onTestFinished, test } from 'vitest';
import { openLoom } from '../fixtures.ts';

test('what a person decides is told as the drawer acts on it, from the next question on', async () => {
  const loom = openLoom();
  onTestFinished(loom.close);
  const { drawer } = loom.services;
  expect(await drawer.policy({})).toMatchObject({ whenFull: 'evict', redact: true });
  loom.set({ 'drawer.whenFull': 'refuse', 'drawer.ttlDays': 7 });
  expect(await drawer.policy({})).toMatchObject({ whenFull: 'refuse', ttlDays: 7 });
});
