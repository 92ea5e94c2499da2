// What a command in the sandbox leaves behind, when its time begins, and what of the machine it sees.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { clientOfProgram, openDoor, remove, root, scratch } from '../fixtures.ts';
import { gone, processes, until } from './processes.ts';

const folders: string[] = [];
afterEach(() => remove(...folders.splice(0)));

/** A folder that the sandbox does not hide by itself, as it does those of /tmp. */
const visible = (): string => {
  const folder = mkdtempSync(join(root, 'node_modules', '.loom-test-'));
  folders.push(folder);
  return folder;
};

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const open = (env: Record<string, string> = {}) =>
  openDoor('stdio', { toolset: 'drawer', env: { LOOM_STORE_CMD: '1', ...env } });

const bubblewrap = execFileSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();

/** A PATH whose bubblewrap is this script. */
const pathWith = (script: string): string => {
  const folder = scratch();
  folders.push(folder);
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bwrap'), 0o755);
  return `${folder}${delimiter}${process.env['PATH']}`;
};

const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: folder, encoding: 'utf8' });

const repository = (folder: string): void => {
  put(join(folder, 'a.txt'), 'a\n');
  put(join(folder, '.vscode', 'settings.json'), '{}\n');
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'a');
};

test('nothing lies in the workspace, neither during a command nor after it', async () => {
  const loom = await open();
  repository(loom.workspace);
  const before = readdirSync(loom.workspace);
  const answer = loom.ask('ctx_store_cmd', { command: 'git status --porcelain; ls -A; sleep 1.2123' });
  await until(() => processes().some(({ line }) => line === 'sleep 1.2123 '));
  expect(git(loom.workspace, 'status', '--porcelain', '--ignored')).toBe('');
  expect((await answer).split('\n').slice(1, -1)).toEqual(before.toSorted());
  expect(git(loom.workspace, 'status', '--porcelain', '--ignored')).toBe('');
  await loom.close();
});

test.each(['sandbox.cjs', 'bwrap'])(
  'its host killed as %s starts: nothing stays, and nothing runs',
  async (program) => {
    for (let n = 0; n < 5; n++) {
      const loom = await open();
      repository(loom.workspace);
      const before = readdirSync(loom.workspace);
      void loom.ask('ctx_store_cmd', { command: 'echo 47.1123; sleep 3; touch ran' }).catch(() => undefined);
      const started = await until(() => {
        const all = processes();
        const own = all.find(({ line, parent }) => parent === loom.pid && line.includes('sandbox.cjs'));
        return program === 'sandbox.cjs' ? own : own && all.find(({ parent }) => parent === own.pid);
      });
      process.kill(loom.pid ?? 0, 'SIGKILL');
      await until(() => !processes().some(({ pid }) => pid === started.pid));
      await gone('echo 47.1123');
      expect(readdirSync(loom.workspace)).toEqual(before);
      expect(git(loom.workspace, 'status', '--porcelain', '--ignored')).toBe('');
      await loom.close();
    }
  },
  120_000,
);

test('the time of a command begins with it, however long its sandbox takes', async () => {
  const loom = await open({ PATH: pathWith(`sleep 3; exec ${bubblewrap} "$@"`) });
  expect(await loom.ask('ctx_store_cmd', { command: 'echo done', timeout_seconds: 2 })).toMatch(
    /^exit code 0; .*\ndone\n$/,
  );
  await loom.close();
});

test('the program around the sandbox is killed before it stands: the command never begins', async () => {
  const signs = visible();
  const script = `echo > ${signs}/waits; while [ ! -e ${signs}/go ]; do sleep 0.05; done; exec ${bubblewrap} "$@"`;
  const loom = await open({ PATH: pathWith(script) });
  const answer = loom.ask('ctx_store_cmd', { command: 'touch ran; sleep 1.6123' });
  await until(() => existsSync(join(signs, 'waits')));
  const { pid } = await until(() =>
    processes().find((one) => one.parent === loom.pid && one.line.includes('sandbox.cjs')),
  );
  process.kill(pid, 'SIGKILL');
  writeFileSync(join(signs, 'go'), '');
  expect(await answer).toMatch(/^Error NO_SANDBOX /);
  await gone('sleep 1.6123');
  expect(readdirSync(loom.workspace)).toEqual([]);
  await loom.close();
});

test('what is stopped at its timeout has not run to its end', async () => {
  const loom = await open();
  for (let n = 0; n < 8; n++) {
    const answer = await loom.ask('ctx_store_cmd', { command: 'sleep 1.4123; touch end', timeout_seconds: 0.2 });
    expect(answer).toMatch(/^stopped at its timeout; /);
    await gone('sleep 1.4123');
    expect(readdirSync(loom.workspace)).toEqual([]);
  }
  await loom.close();
});

test('a sandbox that does not start is told as what it said', async () => {
  const said = 'bwrap: Creating new namespace failed: Operation not permitted';
  const loom = await open({ PATH: pathWith(`echo '${said}' >&2; exit 1`) });
  const answer = await loom.ask('ctx_store_cmd', { command: 'echo ran' });
  expect(answer).toMatch(
    /^Error NO_SANDBOX .*Nothing was run: the sandbox did not start \(bwrap: Creating new namespace failed/,
  );
  expect(answer).not.toContain('Install');
  await loom.close();
});

/** Where programs keep what lets them in elsewhere, and what a person did. */
const tokens = [
  '.aws/credentials',
  '.bash_history',
  '.cache/huggingface/token',
  '.cache/google-chrome/Default/Cache/data_1',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.claude.json',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.config/gh/hosts.yml',
  '.config/github-copilot/apps.json',
  '.config/google-chrome/Default/Login Data',
  '.docker/config.json',
  '.git-credentials',
  '.gitconfig',
  '.gnupg/private-keys-v1.d/a.key',
  '.gradle/gradle.properties',
  '.kube/config',
  '.local/share/keyrings/login.keyring',
  '.local/share/uv/credentials/a.toml',
  '.m2/settings.xml',
  '.mozilla/firefox/a.default/logins.json',
  '.netrc',
  '.npmrc',
  '.pgpass',
  '.psql_history',
  '.pypirc',
  '.python_history',
  '.ssh/id_ed25519',
  '.vscode-server/data/User/globalStorage/state.vscdb',
  'Documents/notes.txt',
  'other-project/.env',
];
/** What builds need. */
const tools = [
  '.cache/pip/a',
  '.cargo/bin/a',
  '.cargo/registry/a',
  '.gradle/caches/a',
  '.local/bin/a',
  '.m2/repository/a',
  '.npm/a',
  '.nvm/a',
  '.pyenv/a',
  '.rustup/a',
];

const secret = 'PLANTED-7f3a';
const plantedHome = (): string => {
  const home = visible();
  for (const name of tokens) put(join(home, name), `${secret} ${name}\n`);
  for (const name of tools) put(join(home, name), `tool ${name}\n`);
  put(join(home, '.own/bin/a'), 'tool of PATH\n');
  return home;
};

test('of the home only toolchains and caches are there, and what a person names', async () => {
  const home = plantedHome();
  const links = scratch();
  folders.push(links);
  put(join(home, '.versions/7/bin/versioned'), '#!/bin/sh\necho version 7\n');
  chmodSync(join(home, '.versions/7/bin/versioned'), 0o755);
  symlinkSync(join(home, '.versions/7'), join(links, 'current'));
  const env = {
    HOME: home,
    // The second by a name in a folder that the sandbox hides, as managers of versions do.
    PATH: [process.env['PATH'], join(home, '.own/bin'), join(links, 'current/bin')].join(delimiter),
    LOOM_STORE_CMD_READABLE: [join(home, '.gitconfig'), join(home, 'other-project')].join(delimiter),
  };
  const loom = await open(env);
  const seen = await loom.ask('ctx_store_cmd', { command: 'cd; find . -type f | sort', budget: 4_000 });
  const named = ['.gitconfig', '.own/bin/a', '.versions/7/bin/versioned', 'other-project/.env'];
  expect(seen.split('\n').slice(1, -1)).toEqual([...tools, ...named].map((name) => `./${name}`).toSorted());
  expect(
    await loom.ask('ctx_store_cmd', {
      command: 'versioned; cat ~/.cargo/bin/a ~/.own/bin/a; echo x > ~/y; echo x > ~/.npm/y',
    }),
  ).toMatch(/version 7\ntool \.cargo\/bin\/a\ntool of PATH\n(.*Read-only file system\n){2}$/);
  await loom.close();
});

test.each([
  ['in the home', 'projects/one', ['own.txt']],
  ['that is the home', '.', ['Documents/notes.txt', 'other-project/.env', 'own.txt', ...tools]],
])('a workspace %s is there, and no settings of programs', async (_, place, expected) => {
  const home = plantedHome();
  const workspace = join(home, place);
  put(join(workspace, 'own.txt'), 'own\n');
  const drawer = scratch();
  folders.push(drawer);
  const env = { HOME: home, LOOM_DB: drawer, LOOM_MCP_TOOLSET: 'drawer', LOOM_STORE_CMD: '1' };
  const loom = await clientOfProgram(workspace, env);
  const seen = await loom.ask('ctx_store_cmd', {
    command: `find . -type f -size +0 | sort; echo x > new.txt`,
    budget: 4_000,
  });
  expect(seen.split('\n').slice(1, -1)).toEqual(expected.map((name) => `./${name}`).toSorted());
  expect(readFileSync(join(workspace, 'new.txt'), 'utf8')).toBe('x\n');
  await loom.close();
});

test('the environment is a list of names, and those that a person adds', async () => {
  const planted = { MY_SERVICE: secret, PGHOST: secret, JAVA_HOME: '/opt/java', LC_TIME: 'C', CI: '1' };
  const loom = await open({ ...planted, GITHUB_PAT: secret, LOOM_STORE_CMD_ENV: 'JAVA_HOME, CI' });
  const answer = await loom.ask('ctx_store_cmd', { command: 'env | cut -d= -f1 | sort' });
  const mine = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR', 'USER', 'SHELL'].filter(
    (name) => process.env[name] !== undefined,
  );
  const shells = ['PWD', 'SHLVL', '_', 'OLDPWD'];
  const names = answer
    .split('\n')
    .slice(1, -1)
    .filter((name) => !shells.includes(name));
  expect(names.filter((name) => !name.startsWith('LC_')).toSorted()).toEqual([...mine, 'CI', 'JAVA_HOME'].toSorted());
  expect(answer).toContain('LC_TIME');
  await loom.close();
});

test('it has no capabilities, no Unix sockets, no namespaces of its own, and no files of other programs', async () => {
  const loom = await open();
  const command = [
    'grep -E "^Cap(Inh|Prm|Eff|Bnd|Amb)" /proc/self/status | grep -v 0000000000000000',
    'ls -A /run /tmp | grep -v "^/\\|^$"',
    'unshare -Ur true; unshare -n true',
    `python3 -c 'import socket; socket.socket(socket.AF_UNIX)'`,
    'touch /tmp/mine && echo own temporary files',
  ].join('; ');
  const answer = await loom.ask('ctx_store_cmd', { command });
  expect(answer).not.toContain('Cap');
  expect(answer.match(/unshare failed: Operation not permitted/g)).toHaveLength(2);
  expect(answer).toMatch(/PermissionError: \[Errno 1\]/);
  expect(answer).toMatch(/own temporary files\n$/);
  await loom.close();
});

test('what other programs run in a workspace is read and not written, nor put aside', async () => {
  const loom = await open();
  repository(loom.workspace);
  put(join(loom.workspace, 'sub/.claude/settings.json'), '{}\n');
  const targets = ['.git/hooks/pre-commit', '.git/config', '.vscode/settings.json', 'sub/.claude/settings.json'];
  const command = [
    ...targets.map((name) => `echo planted >> ${name}`),
    'mv .git .git-old',
    'mv .vscode x',
    'mv sub sub2',
    'echo b > a.txt && git -c user.name=a -c user.email=a@b commit -qam b && git log --oneline | wc -l',
  ].join('; ');
  const answer = await loom.ask('ctx_store_cmd', { command });
  expect(answer).toMatch(/\n2\n$/);
  for (const name of targets)
    expect(
      existsSync(join(loom.workspace, name)) ? readFileSync(join(loom.workspace, name), 'utf8') : '',
    ).not.toContain('planted');
  expect(existsSync(join(loom.workspace, 'sub/.claude'))).toBe(true);
  await loom.close();
});
