import { expect, onTestFinished, test } from 'vitest';
import { until } from '#scripts/until.ts';
import { openDoor } from '../fixtures.ts';

const text = Array.from({ length: 900 }, (_, n) => `${n} a line of the terminal ${n * 7919}`).join('\n');

test('what a hook posts is found and read exactly, its secrets masked, and on nobody’s bill', async () => {
  const loom = await openDoor('http');
  onTestFinished(() => loom.close());
  if (loom.loom === undefined) throw new Error('no host');
  const { host } = loom;
  const { archive } = loom.loom.services;
  const post = async (path: string, token: string, event: object): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-loom-token': token };
    const response = await fetch(new URL(path, host.url), { method: 'POST', headers, body: JSON.stringify(event) });
    return response.status;
  };
  const event = {
    hook_event_name: 'PostToolUse',
    timestamp: '2026-01-01T00:00:00.000Z',
    session_id: 'c1',
    tool_name: 'run_in_terminal',
    tool_input: { command: 'npm test --password=hunter2hunter2' },
    tool_response: `${text}\npassword=correct-horse-7-battery\n`,
  };
  const own = host.headers['X-Loom-Token'] ?? '';
  // Each token opens its own path only.
  expect(await post('/archive', own, event)).toBe(404);
  expect(await post('/mcp', archive.token, event)).toBe(404);
  expect(await post('/archive', archive.token, event)).toBe(204);
  const hits = await until('the result in the drawer', 30, async () => {
    const answer = await loom.ask('ctx_search', { query: '577 a line of the terminal' });
    return answer.includes('run_in_terminal: npm test --password=‹redacted:password:14›') && answer;
  });
  expect(hits).toContain(`577 a line of the terminal ${577 * 7919}`);
  const bytes = (await loom.bytes(/\bd\d+\b/.exec(hits)?.[0] ?? '')).toString();
  expect(bytes.startsWith(`${text}\n`)).toBe(true);
  expect(bytes).not.toContain('correct-horse');
  expect(await loom.ask('ctx_stats')).toMatch(/Kept out of the prompt: 0\b/);
});
