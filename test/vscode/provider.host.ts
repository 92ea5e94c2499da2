import assert from 'node:assert/strict';
import { activated, listed } from './loom.ts';
import type { Tests } from './runTests.ts';

export const providerTests: Tests = {
  'VS Code lists the tools that Loom provides': async () => {
    const tools = await listed();
    for (const tool of ['ctx_store', 'ctx_store_file', 'ctx_get', 'ctx_search'])
      assert(tools.includes(tool), `${tool} is not in ${tools.join(' ')}`);
  },

  'the endpoint is on loopback and hidden from whoever lacks the token': async () => {
    const { url, headers } = await (await activated()).endpoint();
    assert.equal(new URL(url).hostname, '127.0.0.1');
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const stranger = await fetch(url, { method: 'POST', headers: json, body });
    assert.equal(stranger.status, 404);
    const friend = await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body });
    assert.notEqual(friend.status, 404);
  },
};
