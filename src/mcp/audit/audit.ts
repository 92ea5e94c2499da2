// The audit: one line a call, each chained to the one before.
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '#base/log.ts';
import { nextLine, noHash, readLine, type AuditCall, type AuditEnd, type AuditMark, type ChainEnd } from './line.ts';

const keptDays = 30;
const dayMs = 86_400_000;
/** Lines that wait for a disk that refuses them; older ones are given up, and the log says so. */
const mostWaiting = 10_000;

export type AuditOptions = {
  /** Holds one file a process and day; made where it is missing. */
  folder: string;
  log: Log;
  /** Milliseconds since 1970. */
  clock?: () => number;
};

export type Audit = {
  /** Never waits, never throws: lines are appended one batch behind the other. */
  add: (call: AuditCall) => void;
  /** Resolves when everything is on disk and the file has its closing line. Not to be used after. */
  close: () => Promise<void>;
};

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** `2026-11-29-4711-a1b2c3.jsonl`: the day, the process, and random letters, since numbers of processes come again. */
export const auditFile = /^(\d{4}-\d\d-\d\d)-\d+-[0-9a-f]{6}\.jsonl$/;

/** Bytes that a file's last line surely lies within. */
const tailBytes = 64 * 1024;

/** The last whole line of a file; undefined where there is none, or it was changed. */
const lastLine = async (path: string): Promise<ReturnType<typeof readLine>> => {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    await file.read(tail, 0, tail.length, size - tail.length);
    return readLine(tail.toString('utf8').split('\n').at(-2) ?? '');
  } finally {
    await file.close();
  }
};

/** Removes what is too old, and tells where the files end that nothing closed. */
const survey = async (folder: string, today: string): Promise<AuditEnd[]> => {
  const oldest = dayOf(Date.parse(today) - keptDays * dayMs);
  const ends: AuditEnd[] = [];
  for (const file of (await readdir(folder)).toSorted()) {
    const [, day] = auditFile.exec(file) ?? [];
    if (day === undefined) continue;
    if (day < oldest) await rm(join(folder, file), { force: true });
    else {
      const last = await lastLine(join(folder, file));
      if (last !== undefined && !('mark' in last && last.mark === 'close'))
        ends.push({ file, n: last.n, hash: last.hash });
    }
  }
  return ends;
};

type Entry = { at: number; content: AuditCall | AuditMark };

/** The files that this process writes, chained to each other: one a day, and one after each write that failed. */
const openFiles = (folder: string) => {
  let file: { day: string; name: string } | undefined;
  let end: ChainEnd = { n: 0, hash: noHash };
  const append = async (to: string, entries: readonly Entry[]): Promise<void> => {
    let next = end;
    let text = '';
    for (const { at, content } of entries) {
      const line = nextLine(next, new Date(at).toISOString(), content);
      text += line.text;
      next = line.end;
    }
    await appendFile(join(folder, to), text, { mode: 0o600 });
    end = next;
  };
  const begin = async (day: string, at: number): Promise<{ day: string; name: string }> => {
    const last = file;
    if (last !== undefined) await append(last.name, [{ at, content: { mark: 'close' } }]);
    file = undefined;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const others = await survey(folder, day);
    end = { n: 0, hash: last === undefined ? noHash : end.hash };
    const name = `${day}-${process.pid}-${randomBytes(3).toString('hex')}.jsonl`;
    await append(name, [{ at, content: { mark: 'open', pid: process.pid, after: last?.name, others } }]);
    return (file = { day, name });
  };
  return {
    begun: (): boolean => file !== undefined,
    /** Writes those of the first one's day; answers how many they were. */
    write: async (entries: readonly [Entry, ...Entry[]]): Promise<number> => {
      const [{ at }] = entries;
      const day = dayOf(at);
      const { name } = file?.day === day ? file : await begin(day, at);
      const other = entries.findIndex((entry) => dayOf(entry.at) !== day);
      const batch = entries.slice(0, other < 0 ? entries.length : other);
      await append(name, batch);
      return batch.length;
    },
    /** The last one may end in half a line: the next goes into a new file. */
    leave: (): void => {
      file = undefined;
    },
  };
};

/**
 * The record of every call, in files that only the person can read. Each line holds the hash of the one before, a file the
 * end of the one before it, and what a crash left open is written down by whoever comes next: see `verifyAudit`.
 */
export const openAudit = ({ folder, log, clock = Date.now }: AuditOptions): Audit => {
  const files = openFiles(folder);
  let waiting: Entry[] = [];
  let writing: Promise<void> | undefined;
  let failing = false;
  const writeAll = async (): Promise<void> => {
    try {
      for (let [first, ...rest] = waiting; first !== undefined; [first, ...rest] = waiting)
        waiting = waiting.slice(await files.write([first, ...rest]));
      failing = false;
    } catch (error) {
      if (!failing) log.error('the audit could not be written; it is tried again with the next call', error);
      failing = true;
      files.leave();
    }
    writing = undefined;
  };
  const write = (): Promise<void> => (writing ??= Promise.resolve().then(writeAll));
  const add = (content: AuditCall | AuditMark): void => void waiting.push({ at: clock(), content });
  return {
    add: (call) => {
      add(call);
      if (waiting.length > mostWaiting) {
        log.error(`the audit lost ${mostWaiting / 2} lines: its folder cannot be written`);
        waiting = waiting.slice(mostWaiting / 2);
      }
      void write();
    },
    close: async () => {
      await writing;
      if (waiting.length === 0 && !files.begun()) return;
      add({ mark: 'close' });
      await write();
    },
  };
};
