/** Which machine this is and which start of it: the two facts that tell a dead owner from one on another machine. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

export type Machine = {
  /** Stays the same over restarts; empty where the system has no such id. */
  machine: string;
  host: string;
  /** New at each start of the machine; empty where the system does not tell. */
  boot: string;
};

const contents = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
};

const output = (program: string, args: string[]): string => {
  try {
    return execFileSync(program, args, { encoding: 'utf8', timeout: 5_000, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
};

const look = (): Machine => {
  const host = hostname();
  switch (process.platform) {
    case 'darwin':
      return {
        host,
        machine:
          /"IOPlatformUUID" = "([^"]+)"/.exec(
            output('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']),
          )?.[1] ?? '',
        boot: output('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).trim(),
      };
    case 'win32': {
      // No boot id is needed: the pipe of a process that is gone is not there.
      const key = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
      const machine = /MachineGuid\s+REG_SZ\s+(\S+)/.exec(output('reg.exe', ['query', key, '/v', 'MachineGuid']))?.[1];
      return { host, machine: machine ?? '', boot: '' };
    }
    default:
      return { host, machine: contents('/etc/machine-id'), boot: contents('/proc/sys/kernel/random/boot_id') };
  }
};

let known: Machine | undefined;
export const thisMachine = (): Machine => (known ??= look());
