import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import type { StoreArgs } from '#drawer/types.ts';
import { createArchive, defaultThreshold } from '#archive/archive.ts';

type Event = Record<string, unknown>;

const open = (enabled = true) => {
  const stored: { title: string | undefined; source: StoreArgs['source']; text: string; account: unknown }[] = [];
  const store = async ({ title, source, bytes, account }: StoreArgs): Promise<never> => {
    stored.push({ title, source, text: Buffer.from(bytes).toString(), account });
    return undefined as never;
  };
  const archive = createArchive({
    drawer: { store },
    log: silentLog,
    enabled: () => enabled,
    threshold: () => defaultThreshold,
    session: async () => 's1',
  });
  let second = 0;
  const send = (event: Event): unknown =>
    archive.take({ session_id: 'c1', timestamp: new Date(1000 * ++second).toISOString(), ...event });
  const result = (tool_name: string, tool_response: string, more: Event = {}): unknown =>
    send({ hook_event_name: 'PostToolUse', tool_name, tool_input: {}, tool_response, ...more });
  return { archive, stored, send, result };
};

const large = 'a line\n'.repeat(2_000);

test.each([
  ['run_in_terminal', large, true],
  ['get_terminal_output', large, true],
  ['mcp_other_report', large, true],
  ['run_in_terminal', large.slice(0, defaultThreshold - 1), false],
  // Our own answer, kept again, would be kept once more when it is read.
  ['mcp_loom_ctx_get', large, false],
  ['read_file', large, false],
])('a result of %s is kept, or not', async (tool, text, kept) => {
  const { archive, stored, result } = open();
  expect(result(tool, text, { tool_input: { command: 'npm test' } })).toBeUndefined();
  await archive.idle();
  const source = { kind: 'archive', tool, conversation: 'c1' };
  expect(stored).toEqual(kept ? [{ title: `${tool}: npm test`, source, text, account: undefined }] : []);
});

test('off, nothing is kept', async () => {
  const { archive, stored, result } = open(false);
  result('run_in_terminal', large);
  await archive.idle();
  expect(stored).toEqual([]);
});

test('the whole of a cut terminal output is kept, from the file that VS Code names, and from no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'copilot-terminal-output'));
  const saved = join(
    folder,
    'copilot-terminal-output/copilot-terminal-output-08019bc3-9872-4237-93cb-0dc6e5b2c417.txt',
  );
  const other = join(folder, 'other.txt');
  for (const file of [saved, other]) writeFileSync(file, large);
  const { archive, stored, result } = open();
  const excerpt = (file: string): string =>
    `[Output too large (14KB). Full output saved to: ${file}]\n${'x'.repeat(defaultThreshold)}`;
  result('run_in_terminal', excerpt(saved));
  result('run_in_terminal', excerpt(other));
  result('mcp_other_report', excerpt(saved));
  await archive.idle();
  expect(stored.map(({ text }) => text)).toEqual([large, excerpt(other), excerpt(saved)]);
});

test('after a compaction the agent is told once, with the first result that came after it', async () => {
  const { archive, send, result } = open();
  const compact = { hook_event_name: 'PreCompact', timestamp: '2026-01-01T00:00:00.000Z' };
  const [before, after] = [{ timestamp: '2025-12-31T23:59:59.000Z' }, { timestamp: '2026-01-01T00:00:01.000Z' }];
  expect(send(compact)).toBeUndefined();
  // Nothing of this conversation was kept: there is nothing to tell.
  expect(result('run_in_terminal', 'ok', after)).toBeUndefined();
  result('run_in_terminal', large, before);
  await archive.idle();
  send(compact);
  expect(result('run_in_terminal', 'ended before the compaction', before)).toBeUndefined();
  expect(result('run_in_terminal', 'of another', { ...after, session_id: 'c2' })).toBeUndefined();
  expect(send({ hook_event_name: 'UserPromptSubmit', ...after })).toEqual({
    hookSpecificOutput: {
      hookEventName: 'UserPromptSubmit',
      additionalContext: expect.stringMatching(/^This conversation was compacted\..*ctx_search.*$/) as string,
    },
  });
  expect(result('run_in_terminal', 'ok', after)).toBeUndefined();
});

test('more than can wait is left out, and what waits is stored', async () => {
  const { archive, stored, result } = open();
  for (let n = 0; n < 10; n++) result('mcp_other_report', 'x'.repeat(2 ** 21));
  await archive.idle();
  expect(stored.length).toBe(8);
});
