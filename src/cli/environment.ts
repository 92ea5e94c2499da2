import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { levels, type LogLevel } from '#base/log.ts';
import { defaultPolicy, type DrawerPolicy } from '#drawer/policy.ts';
import { backendNames, type BackendName } from '#kernel/types.ts';
import { counters, defaultCounter, type Counter } from '#ledger/types.ts';
import { authModes, type AuthMode } from '#mcp/http/admission.ts';
import { toolsetNames, type Toolset } from '#mcp/defineTool.ts';
import { defaultRate, type Rate } from '#mcp/call/rateLimit.ts';
import { toolsetNamed } from '#mcp/listing/toolsets.ts';
import { schemaProfileNames, type SchemaProfile } from '#mcp/listing/listing.ts';

/** What `loom` takes from its environment, checked. */
export type Environment = {
  /** The drawer's folder, absolute. */
  folder: string;
  /** Further folders that may be read, absolute. */
  allowedDirs: string[];
  toolset: Toolset;
  schemaProfile: SchemaProfile;
  policy: DrawerPolicy;
  storeCmd: boolean;
  python: string | undefined;
  backend: BackendName;
  passphrase: string | undefined;
  /** The tokenizer that counts. */
  counter: Counter;
  logLevel: LogLevel;
  /** Undefined: no limit. */
  rate: Rate | undefined;
  authMode: AuthMode;
  token: string | undefined;
  allowInsecure: boolean;
};

/** A form of value: what `read` makes of a text, undefined where it is not of that form. */
type Form<T> = { expected: string; read: (text: string) => T | undefined };

type Variable<T = unknown> = Form<T> & {
  meaning: string;
  /** What holds where it is not set, in words. */
  default: string;
  /** Never shown, nor written into a client's configuration. */
  secret?: true;
};

const text: Form<string> = { expected: 'a text', read: (value) => value };
const folders: Form<string[]> = {
  expected: `folders, separated by ${delimiter}`,
  read: (value) =>
    value
      .split(delimiter)
      .filter((folder) => folder !== '')
      .map((folder) => resolve(folder)),
};
const positive: Form<number> = {
  expected: 'a number above 0',
  read: (value) => (Number.isFinite(Number(value)) && Number(value) > 0 ? Number(value) : undefined),
};
const flags: Record<string, boolean> = { 0: false, off: false, false: false, 1: true, on: true, true: true };
const flag: Form<boolean> = { expected: '0 or 1', read: (value) => flags[value.toLowerCase()] };
const oneOf = <T extends string>(names: readonly T[]): Form<T> => ({
  expected: `one of ${names.join(', ')}`,
  read: (value) => names.find((name) => name.toLowerCase() === value.toLowerCase()),
});
const toolset: Form<Toolset> = {
  expected: `${toolsetNames.join(', ')}, or several joined by +`,
  // An unknown one is whatever it is told to be.
  read: (value) => {
    const known = toolsetNamed(value, 'core');
    return known === toolsetNamed(value, 'all') ? known : undefined;
  },
};

const token: Form<string> = {
  expected: 'at least 16 printable characters without spaces',
  read: (value) => (/^[\x21-\x7e]{16,}$/.test(value) ? value : undefined),
};

const variable = <T>(form: Form<T>, rest: Omit<Variable, keyof Form<T>>): Variable<T> => ({ ...form, ...rest });

/** Every variable that Loom reads. `loom --help` and the README's table are made from it. */
export const variables = {
  LOOM_DB: variable(text, { meaning: "the drawer's folder", default: 'LOOM_HOME/drawer' }),
  LOOM_HOME: variable(text, { meaning: 'where Loom keeps its folders', default: '~/.loom' }),
  LOOM_DB_PASSWORD: variable(text, {
    meaning: 'passphrase of a sealed drawer: a new one is sealed with it, a plain one refused (loom seal)',
    default: 'none',
    secret: true,
  }),
  LOOM_ALLOWED_DIRS: variable(folders, {
    meaning: 'further folders that tools may read, separated as in PATH',
    default: 'none: the working folder alone',
  }),
  LOOM_TTL_DAYS: variable(positive, {
    meaning: 'days without use after which a session expires',
    default: String(defaultPolicy.ttlDays),
  }),
  LOOM_MAX_MB: variable(positive, { meaning: "the drawer's cap in MB", default: String(defaultPolicy.maxSizeMB) }),
  LOOM_WHEN_FULL: variable(oneOf<DrawerPolicy['whenFull']>(['evict', 'refuse']), {
    meaning: 'at the cap: evict old documents, or refuse new ones',
    default: defaultPolicy.whenFull,
  }),
  LOOM_REDACT: variable(flag, { meaning: 'mask secrets in what is stored', default: '1' }),
  LOOM_STORE_CMD: variable(flag, { meaning: 'let ctx_store_cmd run commands, in a sandbox', default: '0' }),
  LOOM_PYTHON: variable(text, {
    meaning: "the kernel's interpreter",
    default: '.venv of the working folder, else the one on the PATH',
  }),
  LOOM_KERNEL: variable(oneOf(backendNames), { meaning: 'what the kernel runs on', default: 'auto' }),
  LOOM_COUNTER: variable(oneOf(counters), { meaning: 'the tokenizer that counts', default: defaultCounter }),
  LOOM_MCP_TOOLSET: variable(toolset, { meaning: 'which tools are listed', default: 'core' }),
  LOOM_MCP_SCHEMA_PROFILE: variable(oneOf(schemaProfileNames), {
    meaning: 'how much of each tool is listed; full adds output schemas',
    default: 'standard',
  }),
  LOOM_RATE_LIMIT: variable(flag, { meaning: 'limit the calls of a session and of a client', default: '1' }),
  LOOM_RPM: variable(positive, { meaning: 'calls a minute under that limit', default: String(defaultRate.rpm) }),
  LOOM_BURST: variable(positive, { meaning: 'calls at once under that limit', default: String(defaultRate.burst) }),
  LOOM_MCP_AUTH_MODE: variable(oneOf(authModes), {
    meaning: 'loom serve: what needs the token. required: everything; discovery_only: calls; open: nothing',
    default: 'required',
  }),
  LOOM_TOKEN: variable(token, {
    meaning: 'loom serve: the token that clients send',
    default: 'made at each start and shown once',
    secret: true,
  }),
  LOOM_ALLOW_INSECURE: variable(flag, {
    meaning: 'loom serve: allow open on a host that others can reach',
    default: '0',
  }),
  LOOM_LOG_LEVEL: variable(oneOf(levels), { meaning: 'what is written to stderr, and more', default: 'INFO' }),
} as const satisfies Record<`LOOM_${string}`, Variable>;

export type VariableName = keyof typeof variables;
type Value<N extends VariableName> = NonNullable<ReturnType<(typeof variables)[N]['read']>>;

const named = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env).filter((name) => /^LOOM_(?!TEST_)/.test(name) && !Object.hasOwn(variables, name));

/**
 * Reads the environment. A value that is not of its form is named to `complain` and its default holds; so is a variable
 * with Loom's prefix that Loom does not know.
 */
export const readEnvironment = (env: NodeJS.ProcessEnv, complain: (line: string) => void): Environment => {
  const read = <N extends VariableName>(name: N): Value<N> | undefined => {
    const { read: parse, expected, default: otherwise, secret } = variables[name] as Variable<Value<N>>;
    const value = env[name];
    if (value === undefined || value === '') return undefined;
    const known = parse(value);
    if (known === undefined)
      complain(`${name}=${secret ? '…' : value} is not ${expected}; the default holds (${otherwise}).`);
    return known;
  };
  for (const name of named(env)) complain(`${name} is no variable of Loom's; loom --help lists them.`);
  const limited = read('LOOM_RATE_LIMIT') ?? true;
  return {
    folder: resolve(read('LOOM_DB') ?? join(read('LOOM_HOME') ?? join(homedir(), '.loom'), 'drawer')),
    allowedDirs: read('LOOM_ALLOWED_DIRS') ?? [],
    toolset: read('LOOM_MCP_TOOLSET') ?? 'core',
    schemaProfile: read('LOOM_MCP_SCHEMA_PROFILE') ?? 'standard',
    policy: {
      ttlDays: read('LOOM_TTL_DAYS') ?? defaultPolicy.ttlDays,
      maxSizeMB: read('LOOM_MAX_MB') ?? defaultPolicy.maxSizeMB,
      whenFull: read('LOOM_WHEN_FULL') ?? defaultPolicy.whenFull,
      redact: read('LOOM_REDACT') ?? defaultPolicy.redact,
    },
    storeCmd: read('LOOM_STORE_CMD') ?? false,
    python: read('LOOM_PYTHON'),
    backend: read('LOOM_KERNEL') ?? 'auto',
    passphrase: read('LOOM_DB_PASSWORD'),
    counter: read('LOOM_COUNTER') ?? defaultCounter,
    logLevel: read('LOOM_LOG_LEVEL') ?? 'INFO',
    rate: limited
      ? { rpm: read('LOOM_RPM') ?? defaultRate.rpm, burst: read('LOOM_BURST') ?? defaultRate.burst }
      : undefined,
    authMode: read('LOOM_MCP_AUTH_MODE') ?? 'required',
    token: read('LOOM_TOKEN'),
    allowInsecure: read('LOOM_ALLOW_INSECURE') ?? false,
  };
};

/** Variables of `env` that a client must hand to `loom` for it to do the same there: the set ones without secrets. */
export const carriedVariables = (env: NodeJS.ProcessEnv): Record<string, string> => {
  const paths: readonly string[] = ['LOOM_DB', 'LOOM_HOME'];
  const set = Object.entries<Variable>(variables).flatMap(([name, { secret }]) => {
    const value = env[name];
    if (secret || value === undefined || value === '') return [];
    return [[name, paths.includes(name) ? resolve(value) : value] as const];
  });
  return Object.fromEntries(set);
};

/** Takes the secrets out of `env`: whatever this program starts, cells of an agent's Python say, inherits the rest. */
export const forgetSecrets = (env: NodeJS.ProcessEnv): void => {
  for (const [name, { secret }] of Object.entries<Variable>(variables)) if (secret) delete env[name];
};
