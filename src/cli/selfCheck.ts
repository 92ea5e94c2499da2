// The self-check: Loom's main promises, tried on a drawer of its own.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { partLimit } from '#base/text.ts';
import { unfenced } from '#drawer/tools/fenced.ts';
import { serveDoor, stdioDoor, windowDoor, type Door, type Expect } from './selfCheckDoors.ts';

export type Verdict = {
  /** `stdio`, `window` or `serve`. */
  door: string;
  what: string;
  ok: boolean;
  /** What was there instead; undefined where it is as it should be. */
  seen: string | undefined;
};

export type CheckOptions = {
  /** The folder of Loom's programs. */
  programs: string;
  /** Told each verdict as it is there. */
  onVerdict?: (verdict: Verdict) => void;
  /** Ends the check after the step that runs. */
  signal?: AbortSignal;
};

/** Text with everything that tools of this kind have lost: CR LF, NUL, a BOM, no last line end, several scripts. */
const sample = (): string => {
  const lines = Array.from({ length: 4_000 }, (_, n) => `2026-11-29 12:00:00.${n} INFO worker ${n % 7} did step ${n}`);
  lines[2_718] = `needle ${randomBytes(6).toString('hex')} データ NUL:\0 end`;
  return `\ufeff${lines.join('\r\n')}`;
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const firstPart = async (client: Client, name: string, args: Record<string, unknown>): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text: string }[])[0]?.text ?? '';
};

/** Pages through a document and puts the pages together again. */
const wholeText = async (client: Client, id: string): Promise<{ text: string; longest: number }> => {
  let text = '';
  let longest = 0;
  for (let cursor: string | undefined, more = true; more;) {
    const page = await firstPart(client, 'ctx_get', cursor === undefined ? { id } : { id, cursor });
    longest = Math.max(longest, page.length);
    const { text: piece, cursor: next } = unfenced(page);
    text += piece;
    cursor = next;
    more = cursor !== undefined;
  }
  return { text, longest };
};

type Step = (client: Client, folder: string, expect: Expect) => Promise<void>;

const lists: Step = async (client, _, expect) => {
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(`lists ${names.join(', ')}`, names.includes('ctx_store_file') && names.includes('run_python'), names);
};

const keepsBytes: Step = async (client, folder, expect) => {
  const text = sample();
  writeFileSync(join(folder, 'sample.log'), text);
  const anchor = await firstPart(client, 'ctx_store_file', { path: 'sample.log' });
  const id = /\bd\d+\b/.exec(anchor)?.[0] ?? '';
  expect('stores a file and answers with an anchor', id !== '' && anchor.length < partLimit, anchor);
  const { text: back, longest } = await wholeText(client, id);
  expect(
    'gives every byte back (SHA-256)',
    sha256(back) === sha256(text),
    `${back.length} of ${text.length} characters`,
  );
  expect(`no part over ${partLimit} characters`, longest <= partLimit, longest);
  const needle = /needle \w+/.exec(text)?.[0] ?? '';
  const hit = await firstPart(client, 'ctx_search', { query: needle });
  expect('finds a line in the middle', hit.includes(needle) && hit.includes('2719'), hit);
  const wrong = await firstPart(client, 'ctx_get', { doc: id });
  expect('explains a wrong argument', wrong.includes('did you mean "id"') || wrong.includes('example:'), wrong);
  const unknown = await firstPart(client, 'ctx_get', { id: 'd999999' });
  expect('explains an unknown id', unknown.startsWith('Error NOT_FOUND'), unknown);
};

const remembers: Step = async (client, _, expect) => {
  await firstPart(client, 'run_python', { code: 'kept = 6', timeout_seconds: 60 });
  const cell = await firstPart(client, 'run_python', { code: 'print(kept * 7)', timeout_seconds: 60 });
  expect('runs cells in a Python that remembers', /^In \[2\] completed, .*\n42$/.test(cell), cell);
  const output = await firstPart(client, 'read_python_output', { execution: 2 });
  expect('reads the output of a cell again', output.endsWith('\n42'), output);
};

const steps: readonly Step[] = [lists, keepsBytes, remembers];

const playAt = async (door: Door, folder: string, expect: Expect, signal: AbortSignal): Promise<void> => {
  const { client, close } = await door.open(folder, expect, signal);
  try {
    expect('connects', true, undefined);
    for (const step of steps) {
      signal.throwIfAborted();
      await step(client, folder, expect);
    }
  } finally {
    await close();
  }
  expect('closes', true, undefined);
};

/**
 * Plays the client on every door with a drawer of its own in a temporary folder: connects, lists, stores, reads, searches,
 * runs cells, is refused. One verdict a check. Never rejects: what goes wrong is a verdict.
 */
export const runCheck = async (options: CheckOptions): Promise<Verdict[]> => {
  const { programs, onVerdict = () => undefined, signal = new AbortController().signal } = options;
  const verdicts: Verdict[] = [];
  for (const door of [stdioDoor(programs), windowDoor(programs), serveDoor(programs)]) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loom-check-')));
    const expect: Expect = (what, ok, seen) => {
      const verdict = { door: door.name, what, ok, seen: ok ? undefined : String(seen).slice(0, 300) };
      verdicts.push(verdict);
      onVerdict(verdict);
    };
    try {
      signal.throwIfAborted();
      await playAt(door, folder, expect, signal);
    } catch (error) {
      expect('runs to the end', false, error);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  return verdicts;
};
