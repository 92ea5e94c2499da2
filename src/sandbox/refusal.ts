// Why a command was not run, and what a person can do about it.
import { readFileSync } from 'node:fs';
import { LoomError } from '#base/errors.ts';

const valueOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
};

/** What keeps bubblewrap from making a sandbox, as Linux tells it. */
const obstacles = [
  { path: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns', value: '1' },
  { path: '/proc/sys/kernel/unprivileged_userns_clone', value: '0' },
  { path: '/proc/sys/user/max_user_namespaces', value: '0' },
];

const wayOut = (why: string): string => {
  if (process.platform === 'darwin') return 'Install ripgrep (brew install ripgrep), then call again.';
  if (process.platform !== 'linux') return 'On this system commands cannot be run in a sandbox yet.';
  if (why.includes('not installed')) return 'Install bubblewrap (apt install bubblewrap), then call again.';
  const found = obstacles.filter(({ path, value }) => valueOf(path) === value);
  const settings = found.map(({ path, value }) => `${path.slice('/proc/sys/'.length).replaceAll('/', '.')}=${value}`);
  if (settings.length > 0 && /namespace|uid map|Permission denied|not permitted/i.test(why))
    return `This system lets no program make the namespaces that a sandbox is made of (${settings.join(', ')}): a person changes that.`;
  return 'bubblewrap is there; what it says is what a person has to mend, in a container often its right to make namespaces.';
};

/** There is nothing that could make a sandbox. */
export const noSandbox = (why: string): LoomError =>
  new LoomError('NO_SANDBOX', `Nothing was run: there is no sandbox here (${why}). ${wayOut(why)}`);

/** What makes sandboxes is there, and made none; `said` is all that it wrote. */
export const notStarted = (said: string): LoomError => {
  const why = said.trim() === '' ? 'it ended without a word' : said.trim().split('\n').slice(0, 3).join('; ');
  return new LoomError('NO_SANDBOX', `Nothing was run: the sandbox did not start (${why}). ${wayOut(why)}`);
};

/** Most bytes of a command: Linux takes 128 KB as one argument, and quoting makes it longer. */
const mostCommandBytes = 60_000;

export const refuseLong = (command: string): void => {
  const bytes = Buffer.byteLength(command);
  if (bytes <= mostCommandBytes) return;
  throw new LoomError(
    'TOO_LARGE',
    `Nothing was run: the command has ${bytes} bytes, at most ${mostCommandBytes} can be handed over. Write it to a script in the workspace and run that.`,
  );
};
