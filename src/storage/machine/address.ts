/**
 * Where an owner listens: a socket in the drawer's folder, in a private folder near it where that path is too long for
 * the system, a named pipe on Windows. INVARIANT: an address is used by one listener once.
 */
import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { LoomError } from '#base/errors.ts';
import { codeOf, tryRemove } from '#storage/file/disk.ts';

/** The shortest `sun_path` of the systems that we run on has 104 bytes with its final zero. */
const longestPath = 103;

/** Names the folder itself, so that a copied folder is told from its original. */
export const folderId = (folder: string): string => {
  const stat = statSync(folder, { bigint: true });
  return `${stat.dev}:${stat.ino}`;
};

const privateFolder = (): string => {
  const folder = join(process.env['XDG_RUNTIME_DIR'] ?? tmpdir(), `loom-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o077) !== 0)
    throw new LoomError(
      'DRAWER_UNWRITABLE',
      `${folder} is not a private folder of this user, so that Loom cannot put its socket there. Remove it.`,
    );
  return folder;
};

/** A fresh address as the link will hold it. */
export const freshAddress = (folder: string): string => {
  const name = randomBytes(8).toString('hex');
  const hash = createHash('sha256').update(folderId(folder)).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\loom-${hash}-${name}${randomBytes(8).toString('hex')}`;
  const near = `s.${name}`;
  if (Buffer.byteLength(resolve(folder, near)) <= longestPath) return near;
  const far = join(privateFolder(), `${hash}.${name}`);
  if (Buffer.byteLength(far) > longestPath)
    throw new LoomError('DRAWER_UNWRITABLE', `${far} is too long for a socket. Set XDG_RUNTIME_DIR to a shorter path.`);
  return far;
};

/** The path to listen on or connect to. Relative in the link, so that it holds wherever the folder is mounted. */
export const socketPath = (folder: string, address: string): string =>
  isAbsolute(address) || address.startsWith('\\\\') ? address : resolve(folder, address);

/** The file to remove when the listener closes. */
export const socketFile = (folder: string, address: string): string | undefined =>
  process.platform === 'win32' ? undefined : socketPath(folder, address);

const oldEnough = 60_000;
/** Removes the sockets of members that were killed: older than a minute, and refused. */
export const tidySockets = (folder: string, own: string): void => {
  const file = socketFile(folder, own);
  if (file === undefined) return;
  const prefix = basename(file).slice(0, -16);
  for (const name of readdirSync(dirname(file))) {
    const other = join(dirname(file), name);
    if (!name.startsWith(prefix) || other === file) continue;
    const stat = statSync(other, { throwIfNoEntry: false });
    if (stat === undefined || Date.now() - stat.mtimeMs < oldEnough) continue;
    const probe = connect(other);
    probe.on('connect', () => probe.destroy());
    probe.on('error', (error) => codeOf(error) === 'ECONNREFUSED' && tryRemove(other));
    probe.unref();
  }
};
