import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

const lines = (file: string): string[] => readFileSync(file, 'utf8').split('\n');

/** Files of a process that may end at any moment. */
const openFiles = (pid: string): string[] => {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).map((fd) => readlinkSync(join(folder, fd)));
  } catch {
    return [];
  }
};

/**
 * The process that owns the drawer in `folder`, found without asking the drawer: whoever listens on the socket that the
 * newest `owner.<epoch>` names. Linux only.
 */
export const ownerOf = (folder: string): number => {
  const epochs = readdirSync(folder).flatMap((name) => /^owner\.(\d+)$/.exec(name)?.[1] ?? []);
  const newest = Math.max(...epochs.map(Number));
  const { address } = JSON.parse(readFileSync(join(folder, `owner.${newest}`), 'utf8')) as { address: string };
  const name = address.split('/').at(-1) ?? '';
  const inode = lines('/proc/net/unix').flatMap((line) => (line.endsWith(name) ? (line.split(/\s+/)[6] ?? []) : []))[0];
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  const owner = pids.find((pid) => openFiles(pid).includes(`socket:[${inode}]`));
  if (owner === undefined) throw new Error(`nobody listens on ${address} (epoch ${newest})`);
  return Number(owner);
};
