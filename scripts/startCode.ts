import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCodeServer, newProfile, over, type Profile } from './codeServer.ts';
import { patience } from './patience.ts';
import type { Scope } from './scope.ts';

export type CodeOptions = Partial<Profile> & {
  /** Laid over the profile's settings and over ours, which only silence what is not under test. */
  settings?: Record<string, unknown> | undefined;
  /** A folder opens in restricted mode until it is trusted, as in a person's VS Code. Off: every folder is trusted. */
  workspaceTrust?: boolean | undefined;
  /** User/chatLanguageModels.json: the models of the chat that VS Code does not know by itself. */
  models?: unknown;
  /** A folder in place of VS Code's own extensions. */
  builtinExtensions?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
};

export type Code = {
  /** `http://127.0.0.1:PORT` */
  url: string;
  profile: Profile;
  /** What the server has printed so far. */
  log: () => string;
  /** Rejects when the server ends before it is told to. */
  gone: Promise<never>;
};

const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
};

const writeUserFiles = ({ data }: Profile, { settings, models }: CodeOptions): void => {
  const file = join(data, 'User/settings.json');
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
  writeFileSync(file, JSON.stringify({ ...quiet, ...before, ...settings }, undefined, 2));
  if (models !== undefined) writeFileSync(join(data, 'User/chatLanguageModels.json'), JSON.stringify(models));
};

const flags = (options: CodeOptions): string[] => [
  '--bind-addr=127.0.0.1:0',
  '--auth=none',
  '--disable-telemetry',
  '--disable-update-check',
  '--disable-getting-started-override',
  '--disable-proxy',
  '--ignore-last-opened',
  ...(options.workspaceTrust === true ? [] : ['--disable-workspace-trust']),
  ...(options.builtinExtensions === undefined ? [] : ['--builtin-extensions-dir', options.builtinExtensions]),
  // Without it the workbench ignores the address's payload: no extension under development, no tests in the host.
  '--vscode-option=enable-smoke-test-driver',
];

// No gallery: nothing is looked up on the network.
const noGallery = { EXTENSIONS_GALLERY: '{}' };

// Sockets and temporary files go where they are removed with the rest. On macOS the path of a socket would be too long.
const scratch = (folder: string): NodeJS.ProcessEnv =>
  process.platform === 'linux' ? { XDG_RUNTIME_DIR: folder, TMPDIR: folder } : {};

const alive = (group: number): boolean => {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
};

/** Ends a process group: asked first, after five seconds made to. */
const endGroup = async (group: number): Promise<void> => {
  const late = Date.now() + 5_000;
  for (let signal: NodeJS.Signals = 'SIGTERM'; alive(group); await new Promise((done) => setTimeout(done, 20))) {
    if (Date.now() > late) signal = 'SIGKILL';
    process.kill(-group, signal);
  }
};

// Native modules are not built; what needs them does without, and says so at length.
const withoutNoise = (log: string): string =>
  log
    .replaceAll(/^.*Could not locate the bindings file.*\n(?:(?:\s| → |\}).*\n)*/gm, '')
    .replaceAll(/^File not found: .*vsda.*\n/gm, '');

/** Characters of the log that are kept: somebody may leave `npm run code` open for days. */
const keptLog = 500_000;

/** Starts VS Code's server over a profile, on a free port, until the scope ends. Its log is shown at a failure. */
export const startCode = async (scope: Scope, options: CodeOptions = {}): Promise<Code> => {
  const codeServer = await getCodeServer(scope);
  const profile = newProfile(scope, options);
  const { args, env } = over(codeServer, profile);
  writeUserFiles(profile, options);
  let end = async (): Promise<void> => undefined;
  scope.defer(() => end());
  const child = spawn(process.execPath, [...args, ...flags(options)], {
    env: { ...env, ...noGallery, ...scratch(scope.folder('run')), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the extension host and all that it started can be ended together.
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) end = () => endGroup(pid);
  let log = '';
  scope.onFailure(() =>
    console.error(`--- the server's log\n${withoutNoise(log).split('\n').slice(-30).join('\n')}---`),
  );
  const gone = new Promise<never>((_, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => reject(new Error(`VS Code's server ended (${code ?? signal})`)));
  });
  gone.catch(() => undefined);
  const listening = new Promise<string>((resolve, reject) => {
    const hear = (chunk: unknown): void => {
      log = (log + String(chunk)).slice(-keptLog);
      const found = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(log)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const late = (): void => reject(new Error(`VS Code's server did not start in ${patience} s`));
    setTimeout(late, patience * 1000).unref();
  });
  return { url: await Promise.race([listening, gone]), profile, log: () => log, gone };
};
