// Paths as people and models write them: what stands around a path, taken off step by step.
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';

/** A path as it may be meant, and the line that was named with it. */
export type Meant = {
  path: string;
  line: number | undefined;
  /** It says where another system's path may lie here: worth a look, and not worth a word where nothing is there. */
  guess?: true | undefined;
};

type Peel = (text: string, root: string) => { path: string; line?: string | undefined; guess?: true } | undefined;

/** The first group of `form` in the text as the path, the second as the line. */
const without =
  (form: RegExp): Peel =>
  (text) => {
    const match = form.exec(text);
    return match?.[1] === undefined ? undefined : { path: match[1], line: match[2] };
  };

const decoded = (text: string): string | undefined => {
  try {
    const plain = decodeURIComponent(text);
    return plain === text || plain.includes('\0') ? undefined : plain;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
};

/** `file:///a`, `file:/a`, `file://localhost/a`, `vscode-remote://host/a`, `vscode://file/a`; `/C:/a` is `C:/a`. */
const ofUrl: Peel = (text) => {
  const path =
    /^file:(?:\/\/(?:localhost)?)?(\/(?!\/).*)$/is.exec(text)?.[1] ??
    /^vscode-(?:remote|vfs|local|file):\/\/[^/]*(\/.*)$/is.exec(text)?.[1] ??
    /^vscode(?:-insiders)?:\/\/file(\/.*)$/is.exec(text)?.[1] ??
    // No absolute path stood behind it.
    /^file:\/\/([^/].*)$/is.exec(text)?.[1];
  return path === undefined ? undefined : { path: path.replace(/^\/(?=[a-z](?::|%3a)[\\/])/i, '') };
};

const ofHome: Peel = (text) =>
  /^~(?:[\\/]|$)/.test(text) ? { path: resolve(homedir(), `.${text.slice(1)}`) } : undefined;

/** A Windows path where files are named otherwise: what lies under the workspace's own folder, or a drive that is mounted. */
const ofWindows: Peel = (text, root) => {
  if (process.platform === 'win32') return undefined;
  const plain = text.replaceAll('\\', '/');
  if (!/^[a-z]:\//i.test(plain)) return plain === text || plain.startsWith('//') ? undefined : { path: plain };
  const folders = plain.split('/');
  const at = folders.findIndex((name) => name.toLowerCase() === basename(root).toLowerCase());
  return at < 0 ? undefined : { path: folders.slice(at + 1).join('/') };
};

const ofMount: Peel = (text) => {
  const [, drive, rest] = /^([a-z]):[\\/](.*)$/is.exec(text) ?? [];
  if (process.platform === 'win32' || drive === undefined) return undefined;
  return { path: `/mnt/${drive.toLowerCase()}/${rest?.replaceAll('\\', '/')}`, guess: true };
};

const ofShare: Peel = (text) => {
  const path = /^[\\/]{2}wsl(?:\.localhost|\$)[\\/][^\\/]+([\\/].*)$/is.exec(text)?.[1];
  return path === undefined || process.platform === 'win32' ? undefined : { path: path.replaceAll('\\', '/') };
};

const peels: readonly Peel[] = [
  (text) => ({ path: text.trim() }),
  without(/^"(.+)"$/s),
  without(/^'(.+)'$/s),
  without(/^`+(.+?)`+$/s),
  without(/^<(.+)>$/s),
  without(/^\[(?:[^\]]*\]\()?(.+?)[\])]$/s),
  // `#file:` and `@` are how chats name files.
  without(/^(?:#file:|@)(.+)$/s),
  ofUrl,
  ofHome,
  ofWindows,
  ofMount,
  ofShare,
  // A stack trace, a compiler, an editor's link: the line, and the column behind it.
  without(/^File "(.+)", line (\d+)/s),
  without(/^(.+?)#L?(\d+)(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$/is),
  without(/^(.+):L?(\d+)-L?\d+$/is),
  without(/^(.+):L?(\d+):?$/is),
  without(/^(.+?)\((\d+)(?:,\s*\d+)?\)$/s),
  without(/^(.+?),?\s+lines?\s+(\d+)(?:\s*-\s*\d+)?$/is),
  (text) => {
    const path = decoded(text);
    return path === undefined ? undefined : { path };
  },
];

/** More forms, and more UTF-16 units, than a path that somebody wrote ever has. */
const mostForms = 64;
const longest = 4_096;

/**
 * What `written` may mean besides itself, the least changed first: without quotes, blanks, a line behind it, as the path of a
 * URL, under the home folder, from Windows. Nothing is looked up here, and none of it is allowed by being named.
 */
export const meantBy = (written: string, root: string): Meant[] => {
  const forms: Meant[] = [{ path: written, line: undefined }];
  if (written.length > longest) return [];
  for (const { path, line, guess } of forms) {
    for (const peel of peels) {
      const found = peel(path, root);
      if (found === undefined || found.path === '' || forms.length >= mostForms) continue;
      if (forms.some((known) => known.path === found.path)) continue;
      const inner = found.line === undefined ? line : Number(found.line);
      forms.push({ path: found.path, line: inner, guess: found.guess ?? guess });
    }
  }
  return forms.slice(1);
};
