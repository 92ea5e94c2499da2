/** `loom` from the sources, as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export const cli = join(import.meta.dirname, '../../src/cli.ts');

/** A folder that goes with the test. */
export const scratch = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-crossing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};

export type Ran = { code: number; out: string; notes: string };

/** One verb on the drawer in `folder`, to its end. */
export const loom = async (
  folder: string,
  words: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<Ran> => {
  const program = spawn(process.execPath, [cli, ...words], {
    env: { ...process.env, LOOM_DB: folder, ...env },
    cwd: tmpdir(),
  });
  program.stdin.end(input);
  const [out, notes, [code]] = await Promise.all([
    buffer(program.stdout),
    buffer(program.stderr),
    once(program, 'close') as Promise<[number]>,
  ]);
  return { code, out: out.toString(), notes: notes.toString() };
};
