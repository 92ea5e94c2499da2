import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { openStore, type Store, type StoreOptions } from '#storage/store.ts';
import { notes } from './notes.ts';
import type { Commands, Setup } from './program.ts';

const cleanups: (() => unknown)[] = [];
/** Runs after the test, last first. */
export const later = (cleanup: () => unknown): void => void cleanups.push(cleanup);
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A folder that goes with the test. */
export const scratch = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-store-'));
  later(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

export type NoteStore = Store<typeof notes.operations>;
export type NoteOptions = Partial<StoreOptions<typeof notes.operations>>;

/** The notes' drawer in `folder`, opened in this process. */
export const open = async (folder: string, options: NoteOptions = {}): Promise<NoteStore> => {
  const store = await openStore({ folder, ...notes, ...options });
  later(() => store.close());
  return store;
};

/** Opens the drawer, runs `work` and closes it. */
export const visit = async <R>(
  folder: string,
  work: (store: NoteStore) => R,
  options?: NoteOptions,
): Promise<Awaited<R>> => {
  const store = await open(folder, options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};

type Message =
  | { up: true }
  | { violation: string }
  | { id: number; value: unknown }
  | { id: number; error: { code: string; message: string } };
type Failure = Error & { code: string };
type Args<N extends keyof Commands> = Parameters<Commands[N]>[0];

/** What the programs of a test saw that must never be: two owners, a write applied twice. */
export const violations: string[] = [];
afterEach(() => {
  expect(violations.splice(0)).toEqual([]);
});

/** Another process that has the drawer open. */
export class Program {
  readonly process: ChildProcess;
  readonly up: Promise<unknown>;
  /** Resolves with the exit code or the signal. */
  readonly gone: Promise<string>;
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #last = 0;
  #ended: string | undefined;

  constructor(execPath = process.execPath) {
    const file = join(import.meta.dirname, 'program.ts');
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
    this.process = fork(file, [], { serialization: 'advanced', execPath, execArgv: [], stdio: [...stdio] });
    later(() => this.kill());
    let up!: (value?: unknown) => void;
    this.up = new Promise((resolve) => (up = resolve));
    this.gone = new Promise((resolve) =>
      this.process.on('exit', (code, signal) => {
        this.#ended = String(signal ?? code);
        for (const { reject } of this.#waiting.values()) reject(failure('GONE', this.#ended));
        this.#waiting.clear();
        resolve(this.#ended);
      }),
    );
    this.process.on('message', (message: Message) => {
      if ('up' in message) return up();
      if ('violation' in message) return violations.push(message.violation);
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if ('error' in message) waiting?.reject(failure(message.error.code, message.error.message));
      else waiting?.resolve(message.value);
    });
  }

  /** A program none of whose files may be longer than so many KB. */
  static limited(kilobytes: number): Program {
    const shell = join(scratch(), 'limited');
    const script = `#!/bin/bash\nulimit -f ${kilobytes}\nexec '${process.execPath}' "$@"\n`;
    writeFileSync(shell, script, { mode: 0o700 });
    return new Program(shell);
  }

  /** Programs that are up. */
  static async start(count: number): Promise<Program[]> {
    const programs = Array.from({ length: count }, () => new Program());
    await Promise.all(programs.map(({ up }) => up));
    return programs;
  }

  tell<N extends keyof Commands>(command: N, args?: Args<N>): Promise<Awaited<ReturnType<Commands[N]>>> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(failure('GONE', this.#ended));
      const id = ++this.#last;
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.process.send({ id, command, args }, (error) => error && reject(failure('GONE', error.message)));
    });
  }

  open(folder: string, setup: Setup = {}): Promise<string> {
    return this.tell('open', { folder, setup });
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.process.kill(signal);
    if (signal === 'SIGKILL') await this.gone;
  }
}

const failure = (code: string, message: string): Failure => Object.assign(new Error(message), { code });

export type Verdict = { acknowledged: number; lost: string[]; twice: string[]; integrity: string };

/** Opens the drawer and compares it with what the files `acks` say was acknowledged. */
export const compare = async (folder: string, acks: readonly string[], options?: NoteOptions): Promise<Verdict> =>
  visit(
    folder,
    async (store) => {
      const all = await store.call('all', undefined);
      const there = new Set(all);
      const lines = acks.filter(existsSync).flatMap((file) => readFileSync(file, 'utf8').split('\n'));
      const acknowledged = lines.filter((line) => / \d+$/.test(line));
      const seen = new Set<string>();
      const twice = all.filter((note) => seen.has(note) || !seen.add(note));
      const per = Map.groupBy(all, (note) => note.split(' ')[0]!);
      for (const { writer, count } of await store.call('tallies', undefined))
        if (per.get(writer)?.length !== count) twice.push(`tally of ${writer}`);
      const integrity = await store.call('integrity', undefined);
      return {
        acknowledged: acknowledged.length,
        lost: acknowledged.filter((note) => !there.has(note)),
        twice,
        integrity,
      };
    },
    options,
  );

export const sound = { lost: [], twice: [], integrity: 'ok' };

/** The drawer's files of one kind, by epoch. */
export const files = (folder: string, kind: 'log' | 'sqlite' | 'copy' | 'torn'): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('drawer.') && name.endsWith(`.${kind}`))
    .sort((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1]))
    .map((name) => join(folder, name));

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for a condition that another process brings about. */
export const until = async (condition: () => unknown, what: string): Promise<void> => {
  for (const end = Date.now() + 20_000; Date.now() < end; await pause(10)) if (await condition()) return;
  throw new Error(`waited in vain: ${what}`);
};

/** Where the records of a log begin, and how long each is: it stands there twice, one copy behind the other. */
export const recordsOf = (file: string): { at: number; length: number }[] => {
  const bytes = readFileSync(file);
  const found: number[] = [];
  for (let from = bytes.indexOf('REC1'); from >= 0; from = bytes.indexOf('REC1', from + 1)) found.push(from);
  return found.flatMap((at, n) => (n % 2 === 0 ? [{ at, length: found[n + 1]! - at }] : []));
};

/** Changes a bit of a record, in both of its copies unless `copies` says otherwise. */
export const spoil = (
  file: string,
  { at, length }: { at: number; length: number },
  offset: number,
  copies = [0, 1],
): void => {
  const bytes = readFileSync(file);
  for (const copy of copies) bytes[at + copy * length + offset]! ^= 1;
  writeFileSync(file, bytes);
};
