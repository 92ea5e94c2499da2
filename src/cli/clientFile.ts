// Puts Loom's entry into the configuration file of another client, and nothing else.
import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, patch } from '@decimalturn/toml-patch';
import { applyEdits, modify, parse as parseJson, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { LoomError } from '#base/errors.ts';
import type { ClientConfig } from './clients.ts';

export type Installed = {
  /** The file, symbolic links resolved. */
  file: string;
  change: 'created' | 'added' | 'replaced' | 'unchanged';
  /** A copy of the file as it was; undefined where nothing was there or nothing changed. */
  backup: string | undefined;
};

type Entry = Record<string, unknown>;

/** By value: a TOML reader's objects have no prototype. */
const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(structuredClone(a), structuredClone(b));

const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refused = ({ file }: ClientConfig, why: string): LoomError =>
  new LoomError('CLIENT_FILE', `${file} was not changed: ${why}. Correct it, or paste what --print shows.`);

const parsedJson = (config: ClientConfig, text: string): unknown => {
  const errors: ParseError[] = [];
  const value: unknown = parseJson(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return value;
  const line = text.slice(0, first.offset).split('\n').length;
  throw refused(config, `line ${line} is not JSON (${printParseErrorCode(first.error)})`);
};

const parsedToml = (config: ClientConfig, text: string): unknown => {
  try {
    return parseToml(text);
  } catch (error) {
    throw refused(config, `it is not TOML: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** The file's content with Loom's entry in `root`: a person's own fields and variables in it stay. */
const merged = (config: ClientConfig, root: Entry): { before: Entry | undefined; after: Entry } => {
  const [section, name] = config.at;
  const servers = root[section] ?? {};
  if (!isObject(servers)) throw refused(config, `"${section}" in it is no table of servers`);
  const before = servers[name];
  if (before === undefined) return { before, after: config.entry };
  if (!isObject(before)) throw refused(config, `"${section}.${name}" in it is no server`);
  const env = { ...(isObject(before['env']) ? before['env'] : {}), ...(config.entry['env'] as Entry | undefined) };
  return { before, after: { ...before, ...config.entry, ...(Object.keys(env).length === 0 ? {} : { env }) } };
};

const withJson = (config: ClientConfig, text: string, before: Entry | undefined, after: Entry): string => {
  const formattingOptions = {
    insertSpaces: !/^\t/m.test(text),
    tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const set = (whole: string, path: string[], value: unknown): string =>
    applyEdits(whole, modify(whole, path, value, { formattingOptions }));
  if (before === undefined) return set(text, [...config.at], after);
  // Field by field, so that comments between them stay.
  const changed = Object.entries(after).filter(([key, value]) => !same(before[key], value));
  return changed.reduce((whole, [key, value]) => set(whole, [...config.at, key], value), text);
};

const withToml = (config: ClientConfig, text: string, root: Entry, before: Entry | undefined, after: Entry): string => {
  const [section, name] = config.at;
  if (before === undefined) return `${text}${/(^|\n)$/.test(text) ? '' : '\n'}\n${config.text}`;
  const servers = { ...(root[section] as Entry), [name]: after };
  // Trailing commas in inline tables came with TOML 1.1, which few readers know.
  return patch(text, { ...root, [section]: servers }, { trailingComma: false });
};

/** `text` with Loom's entry in it and all else as it was, or the refusal of what cannot be read. */
const edited = (config: ClientConfig, text: string): { text: string; change: Installed['change'] } => {
  const json = config.format === 'json';
  if (text.trim() === '') return { text: config.text, change: 'added' };
  const root = json ? parsedJson(config, text) : parsedToml(config, text);
  if (!isObject(root)) throw refused(config, 'it holds no object');
  const { before, after } = merged(config, root);
  if (same(before, after)) return { text, change: 'unchanged' };
  const made = json ? withJson(config, text, before, after) : withToml(config, text, root, before, after);
  // What was written is read once more: everything else in it must say what it said.
  const again = (json ? parsedJson(config, made) : parsedToml(config, made)) as Entry;
  const [section, name] = config.at;
  const wanted = { ...root, [section]: { ...(root[section] as Entry), [name]: after } };
  if (!same(again, wanted)) throw refused(config, 'Loom could not add its entry without changing others');
  return { text: made, change: before === undefined ? 'added' : 'replaced' };
};

const whole = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Writes beside the file and renames: whoever reads it sees the old one or the new one. */
const replace = (file: string, text: string, mode: number): void => {
  const part = `${file}.loom-${process.pid}`;
  try {
    writeFileSync(part, text, { mode, flag: 'wx' });
    const descriptor = openSync(part, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
};

/** A copy of `file` beside it under a name that nothing has, not even a link; the path of the copy. */
const keepCopy = (file: string): string => {
  for (let n = 1; ; n++) {
    const copy = `${file}.loom-backup${n === 1 ? '' : `-${n}`}`;
    try {
      copyFileSync(file, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
};

/**
 * Puts Loom's entry into the client's own file and keeps everything else in it, comments too. What cannot be read is
 * refused with `CLIENT_FILE` and stays as it is. A second call changes nothing.
 */
export const installClient = (config: ClientConfig): Installed => {
  const text = whole(config.file);
  if (text === undefined) {
    mkdirSync(dirname(config.file), { recursive: true });
    replace(config.file, config.text, 0o600);
    return { file: config.file, change: 'created', backup: undefined };
  }
  // A link to a file that is kept elsewhere stays one.
  const file = realpathSync(config.file);
  const bom = text.startsWith('\ufeff') ? '\ufeff' : '';
  const { text: made, change } = edited(config, text.slice(bom.length));
  if (change === 'unchanged') return { file, change, backup: undefined };
  const backup = keepCopy(file);
  if (whole(file) !== text) throw refused(config, 'another program just wrote it; try again');
  replace(file, bom + made, statSync(file).mode & 0o777);
  return { file, change, backup };
};
