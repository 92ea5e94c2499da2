// What ctx_store_cmd refuses, on any machine; what it does is in test/system, where there is a sandbox.
import { expect, test } from 'vitest';
import { openDoor } from '../fixtures.ts';

test('commands are off until a person switches them on', async () => {
  const loom = await openDoor('stdio', { toolset: 'drawer' });
  const answer = await loom.ask('ctx_store_cmd', { command: 'echo ran' });
  expect(answer).toMatch(/^Error COMMANDS_OFF .*Nothing was run: .*loom\.storeCmd\.enabled.*LOOM_STORE_CMD=1/);
  await loom.close();
});

test('without a sandbox nothing is run, and the answer says what to install', async () => {
  const env = { LOOM_STORE_CMD: '1', PATH: '/nonexistent' };
  const loom = await openDoor('stdio', { toolset: 'drawer', env });
  const answer = await loom.ask('ctx_store_cmd', { command: 'echo ran' });
  expect(answer).toMatch(/^Error NO_SANDBOX .*Nothing was run: there is no sandbox here \(.+\)\. Install /);
  await loom.close();
});

test('what runs something is called under its own listed name only', async () => {
  const loom = await openDoor('stdio', { env: { LOOM_STORE_CMD: '1' } });
  expect(await loom.ask('ctx_store_cmd', { command: 'echo ran' })).toMatch(/^Error NOT_LISTED /);
  await loom.close();
});
