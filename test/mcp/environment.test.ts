import { delimiter, join, resolve } from 'node:path';
import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { settingTable } from '#assemble.ts';
import { carriedVariables, drawerFolder, readEnvironment, variables } from '#cli/environment.ts';
import { cliSettings } from '#cli/room.ts';

const table = { ...settingTable, ...cliSettings };
const read = (env: Record<string, string>): { values: Record<string, unknown>; folder: string; said: string[] } => {
  const said: string[] = [];
  const settings = readEnvironment(env, (line) => said.push(line));
  return { values: settings(table), folder: drawerFolder(settings), said };
};

test('nothing set: the defaults that the table states', () => {
  const { values, folder, said } = read({});
  expect([said, folder]).toEqual([[], join(homedir(), '.loom', 'drawer')]);
  expect(values).toMatchObject({
    allowedDirs: [],
    toolset: 'core',
    schemaProfile: 'standard',
    'drawer.ttlDays': 30,
    'drawer.maxSizeMB': 200,
    'drawer.whenFull': 'evict',
    redact: true,
    'storeCmd.enabled': false,
    'kernel.python': '',
    'kernel.backend': 'auto',
    passphrase: '',
    tokenizer: 'o200k_base',
    logLevel: 'INFO',
    'rate.limited': true,
    'rate.rpm': 600,
    'rate.burst': 120,
    'serve.authMode': 'required',
    'serve.token': '',
    'serve.readonlyToken': '',
    'serve.allowInsecure': false,
  });
});

test.each<[Record<string, string>, string]>([
  [{ LOOM_DB: 'x' }, resolve('x')],
  [{ LOOM_HOME: '/h' }, resolve('/h/drawer')],
])('the folder of %j', (env, folder) => expect(read(env).folder).toBe(folder));

test.each<[Record<string, string>, Record<string, unknown>]>([
  [{ LOOM_ALLOWED_DIRS: `/a${delimiter}b` }, { allowedDirs: [resolve('/a'), resolve('b')] }],
  [
    { LOOM_RATE_LIMIT: '0', LOOM_RPM: '60' },
    { 'rate.limited': false, 'rate.rpm': 60 },
  ],
  [
    { LOOM_RATE_LIMIT: 'on', LOOM_RPM: '60', LOOM_BURST: '5' },
    { 'rate.limited': true, 'rate.rpm': 60, 'rate.burst': 5 },
  ],
  [{ LOOM_MCP_TOOLSET: 'kernel, Drawer' }, { toolset: 'drawer+kernel' }],
  [{ LOOM_MCP_SCHEMA_PROFILE: 'FULL' }, { schemaProfile: 'full' }],
  [
    { LOOM_LOG_LEVEL: 'debug', LOOM_KERNEL: 'Pyodide' },
    { logLevel: 'DEBUG', 'kernel.backend': 'pyodide' },
  ],
  [
    { LOOM_MCP_AUTH_MODE: 'open', LOOM_ALLOW_INSECURE: 'true' },
    { 'serve.authMode': 'open', 'serve.allowInsecure': true },
  ],
  [{ LOOM_TOKEN: 't'.repeat(16), LOOM_TEST_CACHE: '/c', LOOM_RPM: '' }, { 'serve.token': 't'.repeat(16) }],
  [{ LOOM_TOKEN_READONLY: 'r'.repeat(16) }, { 'serve.readonlyToken': 'r'.repeat(16) }],
])('%j', (env, expected) => {
  const { values, said } = read(env);
  expect(said).toEqual([]);
  expect(values).toMatchObject(expected);
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
  const { values, said } = read({ [name]: value });
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(`${name}=${value} is not `);
  const { otherwise } = variables.find(({ variable }) => variable.name === name) ?? {};
  expect(otherwise).toBeTruthy();
  expect(said[0]).toContain(otherwise);
  expect(values).toEqual(read({}).values);
});

test('a bad secret is named without its value, and an unknown variable is named', () => {
  expect(read({ LOOM_TOKEN: 'short one' }).said.join()).toMatch(/^LOOM_TOKEN=… is not at least 16/);
  expect(read({ LOOM_RPMS: '3' }).said).toEqual(["LOOM_RPMS is no variable of Loom's; loom --help lists them."]);
});

test('what a client hands on has no secrets and no relative folder', () => {
  const env = { LOOM_DB: 'x', LOOM_DB_PASSWORD: 'p', LOOM_TOKEN: 't', LOOM_RPM: '9', PATH: '/bin' };
  expect(carriedVariables(env)).toEqual({ LOOM_DB: resolve('x'), LOOM_RPM: '9' });
});
