import { spawn, type StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Scope } from './scope.ts';

type RunOptions = {
  /** Kills the program where the scope ends first. */
  scope: Scope;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: NodeJS.ReadableStream;
};

/** Runs a program to its end. What it prints is shown only where it fails. */
export const run = async (file: string, args: readonly string[], options: RunOptions): Promise<void> => {
  const { scope, input, ...rest } = options;
  let kill = (): unknown => undefined;
  scope.defer(() => kill());
  const stdio: StdioOptions = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
  const child = spawn(file, args, { ...rest, stdio });
  kill = () => child.kill();
  let said = '';
  child.stdout?.on('data', (chunk) => (said += String(chunk)));
  child.stderr?.on('data', (chunk) => (said += String(chunk)));
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${file} ${args.join(' ')}: ${code ?? signal}\n${said}`)),
    );
  });
  await Promise.all([ended, input && child.stdin ? pipeline(input, child.stdin) : undefined]);
};

/** The environment without what npm, VS Code or Electron hand down: a nested one must not take it for its own. */
export const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(VSCODE_|ELECTRON_|npm_|CODE_SERVER_|NODE_OPTIONS$|INIT_CWD$|PASSWORD$|PORT$)/i.test(name),
    ),
  );

/** The first program on the PATH that has one of the names. */
export const onPath = (names: readonly string[]): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(existsSync);
