// Whether a cell still runs whose record says so: one rule for the tools, the panel and the tidying.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isAlive } from '#base/alive.ts';
import type { ExecutionInfo, Host } from '#kernel/types.ts';

const startOnLinux = (pid: number): string | undefined => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before may hold anything.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return state === 'Z' || state === 'X' ? undefined : `${boot} ${fields[18]}`;
};

const startOnMac = (pid: number): string =>
  execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: 5_000,
    env: { LC_ALL: 'C', TZ: 'UTC' },
  }).trim();

/**
 * When a process began, so that another one that got its number later is not taken for it; undefined where it is gone, and
 * on Windows, where asking takes half a second of PowerShell.
 */
export const startOf = (pid: number): string | undefined => {
  try {
    if (process.platform === 'linux') return startOnLinux(pid);
    return process.platform === 'darwin' ? startOnMac(pid) : undefined;
  } catch {
    return undefined;
  }
};

let own: { started: string | undefined } | undefined;
/** When this process began. */
export const ownStart = (): string | undefined => (own ??= { started: startOf(process.pid) }).started;

const lost = 'the process that ran it ended; what it had not yet written is lost';

/** What is true of a cell whose host is gone. */
export const endedInfo = { status: 'killed' as const, cause: 'the Loom process that ran it ended', lost };

/** `ended` holds workers of this process that are gone. */
const lives = ({ host, pid, started }: Host, ended: ReadonlySet<string>): boolean =>
  !ended.has(host) &&
  isAlive(pid) &&
  (started === undefined || (pid === process.pid ? ownStart() : startOf(pid)) === started);

/** A record's info as things are. */
export const asItIs = <I extends ExecutionInfo>({ ...info }: I, host: Host, ended: ReadonlySet<string>): I => {
  if (info.status !== 'running') return info;
  if (!lives(host, ended)) return { ...info, ...endedInfo };
  if (host.pid === process.pid) return info;
  return { ...info, cause: `runs in another Loom process (${host.pid}), which has its output` };
};
