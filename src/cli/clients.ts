// The clients whose configuration Loom knows.
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** The clients whose configuration Loom knows. */
export const clientTargets = [
  'claude-code',
  'claude-desktop',
  'codex',
  'copilot-cli',
  'cursor',
  'vscode',
  'windsurf',
] as const;
export type ClientTarget = (typeof clientTargets)[number];

/** What people call several of them. */
const families: Readonly<Record<string, readonly ClientTarget[]>> = {
  claude: ['claude-code', 'claude-desktop'],
  copilot: ['copilot-cli', 'vscode'],
  'github-copilot': ['copilot-cli', 'vscode'],
};
const otherNames: Readonly<Record<string, ClientTarget>> = {
  claudecode: 'claude-code',
  claudedesktop: 'claude-desktop',
  'codex-cli': 'codex',
  'openai-codex': 'codex',
  copilotcli: 'copilot-cli',
  'github-copilot-cli': 'copilot-cli',
  'vs-code': 'vscode',
};

/** The clients that a name may mean: one where it is clear, several to choose from, none where nobody has it. */
export const clientsNamed = (name: string): readonly ClientTarget[] => {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  const one = clientTargets.find((target) => target === plain) ?? otherNames[plain];
  return one === undefined ? (families[plain] ?? []) : [one];
};

export const clientLabel = (target: ClientTarget): string => clients[target].label;

/** What starts `loom mcp`: absolute paths, since clients start servers in folders of their own. */
export type ServerCommand = {
  command: string;
  args: readonly string[];
  /** Set for the server besides what the client hands down. */
  env: Readonly<Record<string, string>>;
};

/** Whose files are meant: this machine's and this user's unless a test says otherwise. */
export type Machine = { platform: NodeJS.Platform; home: string; env: NodeJS.ProcessEnv };

export type ClientConfig = {
  /** The client's name for a person. */
  label: string;
  /** The client's own file for every project of this user, absolute. It need not exist yet. */
  file: string;
  /** What to paste into it: a whole file where there is none yet. */
  text: string;
  format: 'json' | 'toml';
  /** Where in the file Loom's entry stands. */
  at: readonly [section: string, name: 'loom'];
  /** The entry itself. */
  entry: Readonly<Record<string, unknown>>;
  /** What to do for the client to see it. */
  afterwards: string;
};

type Folders = {
  join: (...parts: string[]) => string;
  /** Where applications keep their settings on this platform. */
  application: string;
} & Machine;

type Client = {
  label: string;
  file: (folders: Folders) => string;
  format?: 'toml';
  section: string;
  /** Fields beside command, args and env. */
  more?: Readonly<Record<string, unknown>>;
  afterwards: string;
};

/** A call may take five minutes (the pipeline's deadline); Codex gives up after 60 s unless told. */
const codexSeconds = 310;

/** Each client's own documentation is named as the source of its file and format. */
const clients: Record<ClientTarget, Client> = {
  // code.claude.com/docs/en/mcp: user scope is the top-level `mcpServers` of ~/.claude.json.
  'claude-code': {
    label: 'Claude Code',
    file: ({ join, home, env }) => join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
    section: 'mcpServers',
    more: { type: 'stdio' },
    afterwards: 'Start a new session; /mcp shows it.',
  },
  // modelcontextprotocol.io/docs/develop/connect-local-servers: Settings › Developer › Edit Config opens this file.
  'claude-desktop': {
    label: 'Claude Desktop',
    file: ({ join, application }) => join(application, 'Claude', 'claude_desktop_config.json'),
    section: 'mcpServers',
    afterwards: 'Quit Claude Desktop and start it again.',
  },
  // developers.openai.com/codex/mcp: shared by the command line and the editor extension.
  codex: {
    label: 'Codex',
    file: ({ join, home, env }) => join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
    format: 'toml',
    section: 'mcp_servers',
    more: { tool_timeout_sec: codexSeconds },
    afterwards: 'Start a new session; /mcp shows it.',
  },
  // docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers: mcp-config.json in ~/.copilot, or in
  // COPILOT_HOME in its place; `tools` names those that it may use.
  'copilot-cli': {
    label: 'GitHub Copilot CLI',
    file: ({ join, home, env }) => join(env['COPILOT_HOME'] || join(home, '.copilot'), 'mcp-config.json'),
    section: 'mcpServers',
    more: { type: 'local', tools: ['*'] },
    afterwards: 'Start a new session; /mcp show lists it.',
  },
  // cursor.com/docs/context/mcp: the global file.
  cursor: {
    label: 'Cursor',
    file: ({ join, home }) => join(home, '.cursor', 'mcp.json'),
    section: 'mcpServers',
    afterwards: 'Switch it on under Settings › Tools & MCP, or restart Cursor.',
  },
  // code.visualstudio.com/docs/agents/reference/mcp-configuration: the user profile's mcp.json.
  vscode: {
    label: 'VS Code without the Loom extension',
    file: ({ join, application }) => join(application, 'Code', 'User', 'mcp.json'),
    section: 'servers',
    more: { type: 'stdio' },
    afterwards: 'Run "MCP: List Servers" and start it. With the extension nothing is needed: it offers its own server.',
  },
  // docs.windsurf.com/windsurf/cascade/mcp
  windsurf: {
    label: 'Windsurf',
    file: ({ join, home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    section: 'mcpServers',
    afterwards: 'Press Refresh in the MCP panel, or restart Windsurf.',
  },
};

const application = (join: Folders['join'], { platform, home, env }: Machine): string => {
  if (platform === 'win32') return env['APPDATA'] || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] || join(home, '.config');
};

/** A TOML basic string takes every escape that JSON writes; only DEL must be escaped besides. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll('\x7f', '\\u007f');

const tomlValue = (value: unknown): string => {
  if (typeof value === 'string') return tomlString(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${tomlString(key)} = ${tomlValue(inner)}`);
  return `{ ${pairs.join(', ')} }`;
};

const tomlTable = ([section, name]: ClientConfig['at'], entry: ClientConfig['entry']): string =>
  [`[${section}.${name}]`, ...Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`), ''].join(
    '\n',
  );

export const thisMachine = (): Machine => ({ platform: process.platform, home: homedir(), env: process.env });

/** What makes `target` start Loom with `server`, and where it goes. Nothing is read or written. */
export const clientConfig = (target: ClientTarget, server: ServerCommand, machine = thisMachine()): ClientConfig => {
  const { label, file, format = 'json', section, more = {}, afterwards } = clients[target];
  const path = machine.platform === 'win32' ? win32 : posix;
  const joined: Folders['join'] = (...parts) => path.join(...parts);
  const { command, args, env } = server;
  const at = [section, 'loom'] as const;
  const entry = { ...more, command, args: [...args], ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }) };
  const json = `${JSON.stringify({ [section]: { loom: entry } }, undefined, 2)}\n`;
  return {
    label,
    file: file({ ...machine, join: joined, application: application(joined, machine) }),
    text: format === 'toml' ? tomlTable(at, entry) : json,
    format,
    at,
    entry,
    afterwards,
  };
};
