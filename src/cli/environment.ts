// Settings from the environment of `loom`.
import { join, resolve } from 'node:path';
import { readFrom, type ReadSettings, type Setting, type SettingTable, type Snapshot } from '#base/settings.ts';
import { settingTable } from '#assemble.ts';
import { storageSettings } from '#storage/room.ts';
import { cliSettings } from './room.ts';

type Variable = NonNullable<Setting['variable']>;

const table: SettingTable = { ...settingTable, ...cliSettings };
const declared = Object.entries(table).flatMap(([key, { variable, default: value }]) =>
  variable === undefined ? [] : [{ key, variable, value }],
);

/** Every variable that Loom reads, with what holds where it is not set. `loom --help` and the docs are made from it. */
export const variables: readonly { variable: Variable; otherwise: string }[] = declared.map(({ variable, value }) => ({
  variable,
  otherwise: variable.otherwise ?? String(value),
}));

const unknownNames = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env).filter(
    (name) => /^LOOM_(?!TEST_)/.test(name) && !declared.some(({ variable }) => variable.name === name),
  );

/**
 * The settings of an environment. A value that is not of its form is named to `complain` and its default holds; so is a
 * variable with Loom's prefix that Loom does not know.
 */
export const readEnvironment = (env: NodeJS.ProcessEnv, complain: (line: string) => void): ReadSettings => {
  for (const name of unknownNames(env)) complain(`${name} is no variable of Loom's; loom --help lists them.`);
  const snapshot: Record<string, unknown> = {};
  for (const [n, { key, variable }] of declared.entries()) {
    const text = env[variable.name];
    if (text === undefined || text === '') continue;
    const value = variable.form.read(text);
    if (value !== undefined) snapshot[key] = value;
    else
      complain(
        `${variable.name}=${variable.secret ? '…' : text} is not ${variable.form.expected}; the default holds (${variables[n]?.otherwise}).`,
      );
  }
  return readFrom((): Snapshot => snapshot);
};

/** The drawer's folder, absolute. */
export const drawerFolder = (settings: ReadSettings): string => {
  const { folder, home } = settings(storageSettings);
  return resolve(folder === '' ? join(home, 'drawer') : folder);
};

/** Variables of `env` that a client must hand to `loom` for it to do the same there: the set ones without secrets. */
export const carriedVariables = (env: NodeJS.ProcessEnv): Record<string, string> => {
  const set = declared.flatMap(({ variable: { name, secret, path } }) => {
    const value = env[name];
    return secret || value === undefined || value === '' ? [] : [[name, path ? resolve(value) : value] as const];
  });
  return Object.fromEntries(set);
};

/** Takes the secrets out of `env`: whatever this program starts, cells of an agent's Python say, inherits the rest. */
export const forgetSecrets = (env: NodeJS.ProcessEnv): void => {
  for (const { variable } of declared) if (variable.secret) delete env[variable.name];
};
