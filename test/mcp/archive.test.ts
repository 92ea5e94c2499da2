import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '#base/log.ts';
import type { StoreArgs } from '#drawer/types.ts';
import { createArchive, defaultThreshold } from '#archive/archive.ts';
import { savedOutputs, type SavedOutput } from '#archive/savedOutput.ts';

/** Paths on a disk that does not answer. */
const stuck = vi.hoisted(() => new Set<string>());
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const realpath = (path: string): Promise<string> =>
    stuck.has(path) ? new Promise(() => undefined) : real.realpath(path);
  return { ...real, realpath };
});

type Event = Record<string, unknown>;

const open = (enabled = true, savedOutput: SavedOutput = savedOutputs('/nowhere')) => {
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
    savedOutput,
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

/** A data folder of VS Code, with a saved output at each of `names` of it. */
const dataFolder = (...names: string[]): string => {
  const data = realpathSync(mkdtempSync(join(tmpdir(), 'loom-archive-')));
  onTestFinished(() => rmSync(data, { recursive: true }));
  for (const name of names) {
    mkdirSync(dirname(join(data, name)), { recursive: true });
    writeFileSync(join(data, name), large);
  }
  return data;
};
const name = (n: number): string =>
  `copilot-terminal-output/copilot-terminal-output-${n}8019bc3-9872-4237-93cb-0dc6e5b2c417.txt`;
const excerpt = (file: string): string =>
  `[Output too large (14KB). Full output saved to: ${file}]\n${'x'.repeat(defaultThreshold)}`;

test('the whole of a cut terminal output is kept from where VS Code saves it, and from nowhere else', async () => {
  const inBrowser = `User/caches/${name(0)}`;
  const data = dataFolder(name(0), inBrowser, `other/${name(0)}`, 'copilot-terminal-output/other.txt', 'elsewhere.txt');
  const at = (path: string): string => join(data, path);
  symlinkSync(at('elsewhere.txt'), at(name(1)));
  execFileSync('mkfifo', [at(name(2))]);
  writeFileSync(at(name(3)), Buffer.alloc(17 * 2 ** 20));
  const { archive, stored, result } = open(true, savedOutputs(at('User/globalStorage/a.loom/drawer')));
  const others = [
    `other/${name(0)}`,
    'copilot-terminal-output/other.txt',
    `x/../${name(0)}`,
    name(1),
    name(2),
    name(3),
  ];
  for (const path of [name(0), inBrowser]) result('run_in_terminal', excerpt(at(path)));
  result('mcp_other_report', excerpt(at(name(0))));
  for (const path of others) result('run_in_terminal', excerpt(`${data}/${path}`));
  await archive.idle();
  expect(stored.map(({ text }) => text)).toEqual([
    large,
    large,
    ...[name(0), ...others].map((path) => excerpt(`${data}/${path}`)),
  ]);
});

test('a reader that is stuck keeps nothing from being stored', async () => {
  const data = dataFolder(name(0));
  stuck.add(join(data, 'copilot-terminal-output'));
  const { archive, stored, result } = open(true, savedOutputs(join(data, 'User/globalStorage/a.loom'), 1));
  result('run_in_terminal', excerpt(join(data, name(0))));
  result('run_in_terminal', large);
  await archive.idle();
  expect(stored.map(({ text }) => text)).toEqual([excerpt(join(data, name(0))), large]);
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
