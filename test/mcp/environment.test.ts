import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { carriedVariables, readEnvironment, variables, type Environment } from '#cli/environment.ts';

const read = (env: Record<string, string>): { environment: Environment; said: string[] } => {
  const said: string[] = [];
  return { environment: readEnvironment(env, (line) => said.push(line)), said };
};

test('nothing set: the defaults that the table states', () => {
  const { environment, said } = read({});
  expect(said).toEqual([]);
  expect(environment).toEqual({
    folder: join(homedir(), '.loom', 'drawer'),
    allowedDirs: [],
    toolset: 'core',
    schemaProfile: 'standard',
    policy: { ttlDays: 30, maxSizeMB: 200, whenFull: 'evict', redact: true },
    storeCmd: false,
    python: undefined,
    backend: 'auto',
    passphrase: undefined,
    counter: 'o200k_base',
    logLevel: 'INFO',
    rate: { rpm: 600, burst: 120 },
    authMode: 'required',
    token: undefined,
    allowInsecure: false,
  });
});

test.each<[Record<string, string>, Partial<Environment>]>([
  [{ LOOM_DB: 'x' }, { folder: resolve('x') }],
  [{ LOOM_HOME: '/h' }, { folder: resolve('/h/drawer') }],
  [{ LOOM_ALLOWED_DIRS: `/a${delimiter}b` }, { allowedDirs: [resolve('/a'), resolve('b')] }],
  [{ LOOM_RATE_LIMIT: '0', LOOM_RPM: '60' }, { rate: undefined }],
  [{ LOOM_RATE_LIMIT: 'on', LOOM_RPM: '60', LOOM_BURST: '5' }, { rate: { rpm: 60, burst: 5 } }],
  [{ LOOM_MCP_TOOLSET: 'kernel, Drawer' }, { toolset: 'drawer+kernel' }],
  [{ LOOM_MCP_SCHEMA_PROFILE: 'FULL' }, { schemaProfile: 'full' }],
  [
    { LOOM_LOG_LEVEL: 'debug', LOOM_KERNEL: 'Pyodide' },
    { logLevel: 'DEBUG', backend: 'pyodide' },
  ],
  [
    { LOOM_MCP_AUTH_MODE: 'open', LOOM_ALLOW_INSECURE: 'true' },
    { authMode: 'open', allowInsecure: true },
  ],
  [{ LOOM_TOKEN: 't'.repeat(16), LOOM_TEST_CACHE: '/c', LOOM_RPM: '' }, { token: 't'.repeat(16) }],
])('%j', (env, expected) => {
  const { environment, said } = read(env);
  expect(said).toEqual([]);
  expect(environment).toMatchObject(expected);
});

test.each([
  ['LOOM_TTL_DAYS', '-1'],
  ['LOOM_MAX_MB', 'much'],
  ['LOOM_RPM', '0'],
  ['LOOM_BURST', 'NaN'],
  ['LOOM_REDACT', 'maybe'],
  ['LOOM_WHEN_FULL', 'explode'],
  ['LOOM_MCP_TOOLSET', 'core+nothing'],
  ['LOOM_MCP_AUTH_MODE', 'none'],
  ['LOOM_LOG_LEVEL', 'LOUD'],
] as const)('%s=%s is named, and its default holds', (name, value) => {
  const { environment, said } = read({ [name]: value });
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(`${name}=${value} is not `);
  expect(said[0]).toContain(variables[name].default);
  expect(environment).toEqual(read({}).environment);
});

test('a bad secret is named without its value, and an unknown variable is named', () => {
  expect(read({ LOOM_TOKEN: 'short one' }).said.join()).toMatch(/^LOOM_TOKEN=… is not at least 16/);
  expect(read({ LOOM_RPMS: '3' }).said).toEqual(["LOOM_RPMS is no variable of Loom's; loom --help lists them."]);
});

test('what a client hands on has no secrets and no relative folder', () => {
  const env = { LOOM_DB: 'x', LOOM_DB_PASSWORD: 'p', LOOM_TOKEN: 't', LOOM_RPM: '9', PATH: '/bin' };
  expect(carriedVariables(env)).toEqual({ LOOM_DB: resolve('x'), LOOM_RPM: '9' });
});
