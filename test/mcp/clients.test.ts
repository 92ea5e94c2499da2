import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { chmodSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from '@decimalturn/toml-patch';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installClient } from '#cli/clientFile.ts';
import { clientConfig, clientsNamed, clientTargets, type ClientTarget } from '#cli/clients.ts';

const server = { command: '/opt/node', args: ['/opt/loom/cli.cjs', 'mcp'], env: { LOOM_DB: '/data/drawer' } };

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'loom-home-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const config = (target: ClientTarget, command = server) =>
  clientConfig(target, command, { platform: 'linux', home, env: {} });

test.each([
  ['claude-code', 'linux', '/h/.claude.json'],
  ['claude-desktop', 'darwin', '/h/Library/Application Support/Claude/claude_desktop_config.json'],
  ['claude-desktop', 'win32', 'C:\\R\\Claude\\claude_desktop_config.json'],
  ['codex', 'linux', '/h/.codex/config.toml'],
  ['copilot-cli', 'linux', '/h/.copilot/mcp-config.json'],
  ['cursor', 'darwin', '/h/.cursor/mcp.json'],
  ['vscode', 'linux', '/h/.config/Code/User/mcp.json'],
  ['vscode', 'darwin', '/h/Library/Application Support/Code/User/mcp.json'],
  ['vscode', 'win32', 'C:\\R\\Code\\User\\mcp.json'],
  ['windsurf', 'win32', 'C:\\h\\.codeium\\windsurf\\mcp_config.json'],
] as const)('%s on %s has its file at %s', (target, platform, file) => {
  const windows = platform === 'win32';
  const machine = { platform, home: windows ? 'C:\\h' : '/h', env: windows ? { APPDATA: 'C:\\R' } : {} };
  expect(clientConfig(target, server, machine).file).toBe(file);
});

test.each([
  ['Claude Code', ['claude-code']],
  ['claude_desktop', ['claude-desktop']],
  ['claude', ['claude-code', 'claude-desktop']],
  ['Copilot CLI', ['copilot-cli']],
  ['copilot', ['copilot-cli', 'vscode']],
  ['VSCode', ['vscode']],
  ['notepad', []],
])('"%s" may be %j', (name, targets) => expect(clientsNamed(name)).toEqual(targets));

test.each(clientTargets)('%s: a file that is not there is made, and made once', (target) => {
  const made = installClient(config(target));
  expect(made.change).toBe('created');
  const text = readFileSync(made.file, 'utf8');
  expect(text).toBe(config(target).text);
  const [section, name] = config(target).at;
  const value = (target === 'codex' ? parse(text) : JSON.parse(text)) as Record<string, Record<string, object>>;
  expect(value[section]?.[name]).toMatchObject(server);
  expect(statSync(made.file).mode & 0o777).toBe(0o600);
  expect(installClient(config(target)).change).toBe('unchanged');
  expect(readdirSync(dirname(made.file))).toHaveLength(1);
});

const put = (target: ClientTarget, text: string): string => {
  const { file } = config(target);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

const jsonc = `\ufeff{
\t// mine
\t"inputs": [],
\t"servers": {
\t\t"other": { "command": "x" }, // stays
\t},
}
`;

const toml = `# mine
model = "m" # stays
when = 2026-01-02T03:04:05Z
[mcp_servers.other] # o
command = 'x'
args = [
  "a", # first
]`;

test.each([
  ['vscode', jsonc, ['\ufeff{\n\t// mine', '// stays', '\t\t"loom": {\n\t\t\t"type": "stdio"']],
  ['codex', toml, [toml, '\n\n[mcp_servers.loom]\ntool_timeout_sec']],
  ['cursor', '{"mcpServers":{},"big":12345678901234567890}', ['12345678901234567890']],
  ['claude-code', '{\r\n    "a": 1\r\n}\r\n', ['{\r\n    "a": 1,\r\n    "mcpServers": {\r\n        "loom"']],
  ['claude-desktop', '', ['"mcpServers"']],
] as const)('%s: what else stands in the file stays', (target, before, kept) => {
  const file = put(target, before);
  chmodSync(file, 0o640);
  const { change, backup } = installClient(config(target));
  expect(change).toBe('added');
  const text = readFileSync(file, 'utf8');
  for (const part of kept) expect(text).toContain(part);
  expect(readFileSync(backup ?? '', 'utf8')).toBe(before);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(installClient(config(target)).change).toBe('unchanged');
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.each(['vscode', 'codex'] as const)(
  '%s: an older entry is brought up to date, a person’s own fields stay',
  (target) => {
    const file = put(target, target === 'codex' ? toml : jsonc);
    installClient(config(target, { ...server, command: '/old/node', env: { LOOM_DB: '/old' } }));
    const text = readFileSync(file, 'utf8');
    const mine =
      target === 'codex'
        ? text.replace('"LOOM_DB" = "/old"', '"LOOM_DB" = "/old", MINE = "1"').concat('enabled = true # mine\n')
        : text.replace('"LOOM_DB": "/old"', '"LOOM_DB": "/old", "MINE": "1" /* mine */');
    writeFileSync(file, mine);
    expect(installClient(config(target)).change).toBe('replaced');
    const now = readFileSync(file, 'utf8');
    for (const part of ['/opt/node', '/data/drawer', 'MINE', '# mine', '// mine'].slice(0, target === 'codex' ? 4 : 3))
      expect(now).toContain(part);
    expect(now).not.toContain('/old');
    expect(now).not.toMatch(/, ?[}\]]\n/);
    expect(installClient(config(target)).change).toBe('unchanged');
  },
);

test('codex: no comma before a closing brace, which only TOML 1.1 knows', () => {
  const file = put('codex', '[mcp_servers.loom]\ncommand = "old"\nargs = [\n  "old", # first\n]\n');
  expect(installClient(config('codex')).change).toBe('replaced');
  expect(readFileSync(file, 'utf8')).toMatch(/^env = \{ ?LOOM_DB = "\/data\/drawer" ?\}$/m);
});

test.each([
  ['cursor', '{"mcpServers": {', /not changed: line 1 is not JSON/],
  ['cursor', '[]', /holds no object/],
  ['cursor', '{"mcpServers": []}', /"mcpServers" in it is no table/],
  ['cursor', '{"mcpServers": {"loom": 3}}', /"mcpServers\.loom" in it is no server/],
  ['codex', 'a = = 1', /is not TOML/],
  ['codex', 'mcp_servers = 3', /no table/],
] as const)('%s: %s is refused and left alone', (target, text, words) => {
  const file = put(target, text);
  expect(() => installClient(config(target))).toThrow(words);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(readdirSync(dirname(file))).toHaveLength(1);
});

test('a link to a file that is kept elsewhere stays one', () => {
  const kept = join(home, 'kept.json');
  writeFileSync(kept, '{}');
  const { file } = config('cursor');
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(kept, file);
  installClient(config('cursor'));
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(kept, 'utf8')).toContain('"loom"');
});

test('a copy of the file as it was takes the place of no older one, and is not written through a link', () => {
  const file = put('codex', toml);
  const elsewhere = `${file}.elsewhere`;
  writeFileSync(elsewhere, 'stays');
  symlinkSync(elsewhere, `${file}.loom-backup`);
  const first = installClient(config('codex'));
  const second = installClient(config('codex', { ...server, command: '/other/node' }));
  expect([first.backup, second.backup]).toEqual([`${file}.loom-backup-2`, `${file}.loom-backup-3`]);
  expect(readFileSync(first.backup ?? '', 'utf8')).toBe(toml);
  expect(readFileSync(second.backup ?? '', 'utf8')).not.toBe(toml);
  expect(readFileSync(elsewhere, 'utf8')).toBe('stays');
});
