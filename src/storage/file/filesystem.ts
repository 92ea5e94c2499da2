/**
 * Where a drawer may lie. The fence relies on every process seeing a new file name at once; a network file system's client
 * answers from its cache for seconds. INVARIANT: what is not known to be a network file system is allowed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, statfsSync } from 'node:fs';

/** Kernel numbers (linux/magic.h and the file systems' own sources) of what reaches over a network or between machines. */
const networkNumbers: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
  [0x564c, 'NCP'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0xbacbacbc, 'VMware shared folder'],
  [0x786f4256, 'VirtualBox shared folder'],
  [0x7c7c6673, 'Parallels shared folder'],
]);
const fuse = 0x65735546;
const networkNames =
  /^(?:fuse\.)?(?:sshfs|rclone|s3fs|gcsfuse|goofys|curlftpfs|davfs2?|glusterfs|cephfs?|smbnetfs|nfs4?|cifs|smbfs|smb3|afpfs|webdav|virtiofs|9p|osxfuse|macfuse)$/;

type Mount = { at: string; type: string };

const linuxMounts = (): Mount[] =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [before, after] = line.split(' - ');
      const at = before?.split(' ')[4];
      const type = after?.split(' ')[0];
      return at && type
        ? [{ at: at.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))), type }]
        : [];
    });

const macMounts = (): Mount[] =>
  execFileSync('/sbin/mount', { encoding: 'utf8', timeout: 5_000 })
    .split('\n')
    .flatMap((line) => {
      const [, at, type] = / on (.+) \(([^,)]+)/.exec(line) ?? [];
      return at && type ? [{ at, type }] : [];
    });

/** The type of the mount that `path` lies on: of several at one place, the last. */
export const mountType = (path: string, mounts: readonly Mount[]): string | undefined => {
  const inside = mounts.filter(({ at }) => path === at || path.startsWith(at.endsWith('/') ? at : `${at}/`));
  return inside.toSorted((a, b) => a.at.length - b.at.length).at(-1)?.type;
};

/** What `type` and `mount` say: the name of a network file system, or undefined. */
export const networkName = (type: number, mount: () => string | undefined): string | undefined => {
  const known = networkNumbers.get(type);
  if (known !== undefined || type !== fuse) return known;
  const name = mount();
  return name !== undefined && networkNames.test(name) ? name : undefined;
};

/** The network file system that `folder` lies on, or undefined. The folder exists. */
export const networkFileSystem = (folder: string): string | undefined => {
  try {
    const path = realpathSync.native(folder);
    if (process.platform === 'win32') return path.startsWith('\\\\') ? 'a network share' : undefined;
    if (process.platform === 'darwin') {
      const type = mountType(path, macMounts());
      return type !== undefined && networkNames.test(type) ? type : undefined;
    }
    // The number is unsigned on disk and may come back as a signed one.
    return networkName(Number(BigInt.asUintN(32, statfsSync(path, { bigint: true }).type)), () =>
      mountType(path, linuxMounts()),
    );
  } catch {
    return undefined;
  }
};
