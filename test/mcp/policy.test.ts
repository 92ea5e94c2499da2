import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { defaultPolicy } from '#drawer/policy.ts';
import { startEngine } from '#host/engine.ts';

const secret = `aws_secret_access_key = "${'wJalrXUtnFEMIK7MDENGbPxRfiCY'}${'EXAMPLEKEY12'}"\n`;

test('what a person decides holds at once, for what runs and for what is started later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-policy-'));
  const engine = startEngine(join(import.meta.dirname, '../../src'), { folder, version: 'test' }, silentLog);
  onTestFinished(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });
  const session = await engine.call.session({ client: 'test', root: '/' });
  const store = (text: string) =>
    engine.call.store({ session, bytes: Buffer.from(text), source: { kind: 'text' }, always: true });
  expect((await store(secret)).redactions).toHaveLength(1);
  await engine.setPolicy({ ttlDays: 0.000_000_01, maxSizeMB: 1, whenFull: 'refuse', redact: false });
  expect((await store(secret)).redactions).toHaveLength(0);
  await expect(store('x'.repeat(2 ** 20))).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect((await engine.call.health({})).maxBytes).toBe(2 ** 20);
  await expect.poll(async () => (await engine.call.sessions({}))[0]?.expired).toBe(true);
  await engine.setPolicy(defaultPolicy);
  expect((await store('x'.repeat(2 ** 20))).id).toBeDefined();
});
