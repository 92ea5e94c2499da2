import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { startEngine, type Engine } from '#host/engine.ts';

// An engine that ends at one call, answers the other, and tells which run of it answered.
const program = `
  const { parentPort, threadId } = require('node:worker_threads');
  parentPort.on('message', ({ id, method }) => {
    if (method === 'room.end') process.exit(3);
    parentPort.postMessage({ id, value: method === 'close' ? undefined : String(threadId) });
    parentPort.postMessage({ event: { kind: 'changed' } });
  });
`;

let folder: string;
let engine: Engine;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loom-engine-'));
  writeFileSync(join(folder, 'engine.cjs'), program);
  engine = startEngine(folder, { folder, version: 'test', settings: {} }, silentLog);
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

const run = (): Promise<unknown> => engine.send('room.run', {});

test('its death fails the call that ran, and the next one starts it anew', async () => {
  const first = await run();
  await expect(engine.send('room.end', {})).rejects.toMatchObject({ code: 'ENGINE_GONE' });
  expect(await run()).not.toBe(first);
});

test('it tells of changes as long as somebody listens', async () => {
  let heard = 0;
  const listener = engine.onChange(() => heard++);
  await run();
  await run();
  expect(heard).toBeGreaterThan(0);
  listener.dispose();
  const before = heard;
  await run();
  await run();
  expect(heard).toBe(before);
});
