// Attackers at work for a minute each; their figures are printed.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openDoor, remove, root } from '../fixtures.ts';
import { readWhileSwapped } from '../swaps.ts';

const attackMs = 60_000;
const whole = 200_000;

const until = (): (() => boolean) => {
  const end = performance.now() + attackMs;
  return () => performance.now() < end;
};

test(
  'files exchanged under a reader',
  async () => {
    const loom = await openDoor('stdio', { toolset: 'drawer' });
    const figures = await readWhileSwapped(loom, until());
    console.log('files exchanged under a reader', figures);
    expect(figures.outside).toBe(0);
    expect(figures.reads).toBe(figures.stored + figures.refused);
    await loom.close();
  },
  whole,
);

const secret = 'PLANTED-a61e';
const planted = [
  '.ssh/id_rsa',
  '.claude/.credentials.json',
  '.config/gh/hosts.yml',
  '.cargo/credentials',
  '.bash_history',
];

/** Commands that try to get at `$H` (a home), `$D` (the drawer), `$O` (a folder outside), a socket and a process. */
const attacks = (home: string, drawer: string, out: string, pid: number): string[] =>
  [
    ...planted.map((name) => `cat $H/${name}; cp $H/${name} .; dd if=$H/${name}`),
    'grep -rs PLANTED $H; find $H -type f -exec cat {} +; tar c $H 2>&1 | strings',
    'ln -s $H home; cat home/.ssh/id_rsa home/.bash_history; ln $H/.ssh/id_rsa hard; cat hard',
    'cat /proc/1/root$H/.ssh/id_rsa /proc/self/root$H/.ssh/id_rsa /proc/*/cwd/../../.ssh/id_rsa',
    `cat /proc/${pid}/environ /proc/${pid}/root$H/.ssh/id_rsa; cat /proc/*/environ`,
    'env; set; python3 -c "import os; print(os.environ)"',
    'umount $H; umount -l $H; mount --bind / mnt; cat $H/.ssh/id_rsa',
    'unshare -Urm sh -c "umount $H; cat $H/.ssh/id_rsa"; unshare -m cat $H/.ssh/id_rsa; nsenter -t 1 -m cat $H/.ssh/id_rsa',
    'bwrap --bind / / cat $H/.ssh/id_rsa; chroot / cat $H/.ssh/id_rsa; mv $H $H.old; rmdir $H',
    `python3 -c "import ctypes; l=ctypes.CDLL(None,use_errno=True); print(l.umount2(b'$H',2), l.mount(b'/',b'.',None,4096,None))"; cat $H/.ssh/id_rsa`,
    'cat $D/*; ls -A $D; find / -name "*.journal" -o -name "id_rsa" 2>/dev/null | xargs cat',
    `python3 -c "import socket; s=socket.socket(socket.AF_UNIX); s.connect('service.sock'); print(s.recv(99))"`,
    'curl -s --unix-socket service.sock http://x/; bash -c "cat < /dev/tcp/127.0.0.1/1"',
    'touch $O/w; echo w > $O/file; rm -rf $O/*; mv $O $O.old; ln -sf x $O/w; mkdir $O/w; chmod 777 $O',
    `python3 -c "import os; os.truncate('$O/file', 0)"; sh -c "exec 5>>$O/file; echo w >&5"`,
    'touch $H/w /usr/w /etc/w /var/w /w; echo w >> $H/.bashrc; echo w >> /etc/profile; kill -9 -1',
    'ln -s $O o; touch o/w; echo w > o/file; cp -r . o/',
    'mknod disk b 8 0; cat /dev/sda /dev/vda /dev/mem /dev/kmsg | head -c 99',
  ].map((attack) => `H=${home}; D=${drawer}; O=${out}; mkdir -p mnt; { ${attack}; } 2>&1; true`);

test(
  'commands that try to get out of the sandbox',
  async () => {
    const base = mkdtempSync(join(root, 'node_modules', '.loom-test-'));
    onTestFinished(() => remove(base));
    const [home, out] = [join(base, 'home'), join(base, 'out')];
    for (const name of planted) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), `${secret} ${name}\n`);
    }
    mkdirSync(out);
    writeFileSync(join(out, 'file'), 'as it was\n');
    const env = {
      HOME: home,
      LOOM_STORE_CMD: '1',
      SERVICE_PAT: secret,
      DATABASE_URL: `postgres://u:${secret}@h/d`,
      LOOM_REDACT: '0',
    };
    const loom = await openDoor('stdio', { toolset: 'drawer', env });
    const server = createServer((socket) => socket.end(secret)).listen(join(loom.workspace, 'service.sock'));
    const stateOf = async (): Promise<string> =>
      (await promisify(execFile)('sh', ['-c', `ls -lAR ${base}; cat ${out}/file`])).stdout;
    const before = await stateOf();
    const figures = { commands: 0, read: 0, written: 0 };
    const all = attacks(home, loom.drawer, out, loom.pid ?? 0);
    const goesOn = until();
    while (goesOn() || figures.commands < all.length) {
      const command = all[figures.commands % all.length] ?? '';
      const answer = await loom.ask('ctx_store_cmd', { command, budget: 4_000, timeout_seconds: 20 });
      const found = await loom.ask('ctx_search', { query: secret, regex: true });
      figures.commands++;
      if (answer.includes(secret) || !found.includes('No match for')) {
        figures.read++;
        console.log(command, answer, found);
      }
      if ((await stateOf()) !== before || ['/w', '/usr/w', '/etc/w', '/var/w'].some((path) => existsSync(path)))
        figures.written++;
    }
    console.log('commands that try to get out of the sandbox', figures);
    expect(readdirSync(loom.workspace)).toContain('mnt');
    expect(figures).toMatchObject({ read: 0, written: 0 });
    server.close();
    await loom.close();
  },
  whole,
);
