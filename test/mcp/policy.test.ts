import { expect, onTestFinished, test } from 'vitest';
import { openLoom } from '../fixtures.ts';

const secret = `aws_secret_access_key = "${'wJalrXUtnFEMIK7MDENGbPxRfiCY'}${'EXAMPLEKEY12'}"\n`;

test('what a person decides holds at once, for what runs and for what is started later', async () => {
  const loom = openLoom();
  onTestFinished(loom.close);
  const { drawer, storage } = loom.services;
  const session = await drawer.session({ client: 'test', root: '/' });
  const store = (text: string) =>
    drawer.store({ session, bytes: Buffer.from(text), source: { kind: 'text' }, always: true });
  expect((await store(secret)).redactions).toHaveLength(1);
  loom.set({ 'drawer.ttlDays': 0.000_000_01, 'drawer.maxSizeMB': 1, 'drawer.whenFull': 'refuse', redact: false });
  expect((await store(secret)).redactions).toHaveLength(0);
  await expect(store('x'.repeat(2 ** 20))).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect((await storage.health({})).maxBytes).toBe(2 ** 20);
  await expect.poll(async () => (await drawer.sessions({}))[0]?.expired).toBe(true);
  loom.set({ 'drawer.ttlDays': 30, 'drawer.maxSizeMB': 200, 'drawer.whenFull': 'evict', redact: true });
  expect((await store('x'.repeat(2 ** 20))).id).toBeDefined();
});
