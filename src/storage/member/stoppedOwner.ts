/**
 * An owner that was stopped (a signal, Ctrl+Z) answers nobody, and only the system tells it from one that is busy: its
 * process stands still. It is waited for, and then succeeded as one that is gone. What it acknowledged is in its journal;
 * when it goes on, the fence makes it step down before it answers anybody.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import type { Log } from '#base/log.ts';
import { judge, topLink } from '#storage/file/chain.ts';
import { codeOf } from '#storage/file/disk.ts';
import { release } from '#storage/folder/unlock.ts';
import type { Machine } from '#storage/machine/machine.ts';

const linuxFile = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM', 'ESRCH', 'EINVAL', 'UNKNOWN'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
};

/** A process as others on this machine find it: its number, and the space in which that counts. */
export type ProcessId = { pid: number; space: string };

const ownSpace = (): string | undefined =>
  process.platform === 'linux' ? linuxFile(() => readlinkSync('/proc/self/ns/pid')) : undefined;

/** Undefined where the system does not tell whether a process is stopped. */
export const ownProcess = (): ProcessId | undefined => {
  const space = ownSpace();
  return space === undefined ? undefined : { pid: process.pid, space };
};

const isStopped = ({ pid, space }: ProcessId): boolean => {
  if (space !== ownSpace()) return false;
  const stat = linuxFile(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name before it may have anything in it.
  return stat !== undefined && stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
};

/** While somebody waits, the owner is looked at so often. */
const lookMs = 1_000;
/** It is told of a stopped owner after this long. */
const tellMs = 5_000;

export type StoppedOwnerOptions = {
  isWaitedFor: () => boolean;
  /** Whoever is connected to it need not wait any more. */
  onReleased: () => void;
  folder: string;
  machine: Machine;
  /** Milliseconds that a stopped owner is waited for. */
  stoppedMs: number;
  log: Log;
};

/** Looks at the owner while it is waited for, and says in its name that it is gone where it has been stopped for long. */
export class StoppedOwner {
  readonly #options: StoppedOwnerOptions;
  #timer: NodeJS.Timeout | undefined;
  #seen: { owner: string; since: number; told: boolean } | undefined;

  constructor(options: StoppedOwnerOptions) {
    this.#options = options;
  }

  /** It ends by itself when nobody waits any more. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), lookMs);
  }

  #look(): void {
    if (this.#options.isWaitedFor()) return this.#judge();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #judge(): void {
    const { folder, machine, stoppedMs, log, onReleased } = this.#options;
    const { epoch, link } = topLink(folder);
    if (link?.process === undefined || judge(link, machine) !== 'ask' || !isStopped(link.process)) {
      this.#seen = undefined;
      return;
    }
    if (this.#seen?.owner !== link.owner) this.#seen = { owner: link.owner, since: performance.now(), told: false };
    const stopped = performance.now() - this.#seen.since;
    const held = `The drawer is held by process ${link.process.pid} (Loom ${link.app}), which is stopped`;
    if (!this.#seen.told && stopped >= Math.min(tellMs, stoppedMs)) {
      this.#seen.told = true;
      log.warn(`${held}. Continue it or end it; else it is succeeded soon.`);
    }
    if (stopped < stoppedMs || !release(folder, epoch, link)) return;
    log.warn(`${held}: another program takes its place.`);
    onReleased();
  }
}
