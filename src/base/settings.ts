// Settings: one declaration becomes a setting of VS Code, an environment variable and a line of the docs.
import { delimiter, resolve } from 'node:path';
import type { z } from 'zod';

/** How a text of the environment is read: undefined where it is not of that form. */
export type Form<T> = { expected: string; read: (text: string) => T | undefined };

export type Setting<T = unknown> = {
  /** What the value must be; it may make another one of it (`transform`). */
  schema: z.ZodType<T>;
  /** Holds where nothing is set. A value that the schema takes. */
  default: unknown;
  /** `loom.<key>` in VS Code; left out where a window has no such setting. */
  editor?: {
    scope: 'application' | 'machine' | 'window' | 'resource' | 'machine-overridable';
    description: string;
    /** What is offered where the schema allows more than it can list. */
    enum?: readonly string[];
    enumDescriptions?: readonly string[];
    /** Not read from a workspace that is not trusted. */
    restricted?: true;
  };
  /** In the environment of `loom`; left out where there is none. */
  variable?: {
    name: `LOOM_${string}`;
    meaning: string;
    form: Form<unknown>;
    /** What holds where it is not set, in words; the default itself where left out. */
    otherwise?: string;
    /** Never shown, handed on or written into a client's configuration. */
    secret?: true;
    /** A path: relative to where the program runs. */
    path?: true;
  };
};

/** By key: `drawer.ttlDays` is `loom.drawer.ttlDays` in VS Code. */
export type SettingTable = Readonly<Record<string, Setting>>;
export type Values<T extends SettingTable> = { [K in keyof T]: z.output<T[K]['schema']> };

/** The values of a room's settings as they are now. A bad value is its default; who reads them says so to the person. */
export type ReadSettings = <T extends SettingTable>(table: T) => Values<T>;

/** Values of settings by key, checked: what travels to a worker. */
export type Snapshot = Readonly<Record<string, unknown>>;

const defaultOf = ({ schema, default: value }: Setting): unknown => schema.parse(value);

/** Reads settings out of a snapshot; what is not in it has its default. */
export const readFrom =
  (snapshot: () => Snapshot): ReadSettings =>
  (table) => {
    const values = snapshot();
    return Object.fromEntries(
      Object.entries(table).map(([key, setting]) => [
        key,
        Object.hasOwn(values, key) ? values[key] : defaultOf(setting),
      ]),
    ) as Values<typeof table>;
  };

const flags: Record<string, boolean> = { 0: false, off: false, false: false, 1: true, on: true, true: true };

/** Forms of variables. */
export const forms = {
  text: { expected: 'a text', read: (text: string) => text },
  flag: { expected: '0 or 1', read: (text: string) => flags[text.toLowerCase()] },
  folders: {
    expected: `folders, separated by ${delimiter}`,
    read: (text: string) =>
      text
        .split(delimiter)
        .filter((folder) => folder !== '')
        .map((folder) => resolve(folder)),
  },
  names: {
    expected: 'names, separated by commas',
    read: (text: string) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
  },
  positive: {
    expected: 'a number above 0',
    read: (text: string) => (Number.isFinite(Number(text)) && Number(text) > 0 ? Number(text) : undefined),
  },
  oneOf: <T extends string>(names: readonly T[]): Form<T> => ({
    expected: `one of ${names.join(', ')}`,
    read: (text) => names.find((name) => name.toLowerCase() === text.toLowerCase()),
  }),
};
