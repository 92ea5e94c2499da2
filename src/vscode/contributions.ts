import { z } from 'zod';
import { defaultPolicy } from '#drawer/policy.ts';
import { counters } from '#ledger/types.ts';
import { backendNames } from '#kernel/types.ts';
import { defaultThreshold } from '#archive/archive.ts';
import { chatFiles } from './chatFiles.ts';
import { rosterNames } from '#mcp/defineTool.ts';
import { toolsetNamed } from '#mcp/listing/toolsets.ts';
import { menus, submenus } from './menus.ts';
import { walkthroughs } from './walkthrough.ts';

type Command = {
  title: string;
  icon: string;
  enablement?: string;
  /** Not in the palette: it needs what only a menu or the walkthrough gives it. */
  hidden?: true;
};

/**
 * What Loom adds to VS Code, once: `scripts/gen.ts` writes the manifest (package.json, package.nls.json) and the README's
 * settings table from here, and the code below takes its ids and types from here. No vscode is imported, so that it can.
 */
export const commands = {
  'loom.storeActiveFile': { title: 'Store Active File', icon: '$(archive)' },
  'loom.storeSelection': { title: 'Store Selection', icon: '$(selection)', enablement: 'editorHasSelection' },
  'loom.storeFile': { title: 'Store File…', icon: '$(new-file)' },
  'loom.storeResource': { title: 'Store in Loom', icon: '$(archive)', hidden: true },
  'loom.storeClipboard': { title: 'Store Clipboard', icon: '$(clippy)' },
  'loom.storeTerminalSelection': {
    title: 'Store Terminal Selection',
    icon: '$(terminal)',
    enablement: 'terminalCount > 0',
  },
  'loom.searchDrawer': { title: 'Search Drawer…', icon: '$(search)' },
  'loom.setProfile': { title: 'Set Profile…', icon: '$(settings)' },
  'loom.purge': { title: 'Purge…', icon: '$(trash)' },
  'loom.exportDrawer': { title: 'Export Drawer…', icon: '$(save-as)' },
  'loom.exportLedger': { title: 'Export Ledger…', icon: '$(export)' },
  'loom.copyClientConfiguration': { title: 'Copy MCP Configuration for Another Client…', icon: '$(copy)' },
  'loom.askAgent': { title: 'Ask the Agent', icon: '$(comment-discussion)', hidden: true },
  'loom.openDrawer': { title: 'Open Drawer', icon: '$(database)' },
  'loom.openLedger': { title: 'Open Ledger', icon: '$(graph)' },
  'loom.kernel.runSelection': { title: 'Run Selection in Kernel', icon: '$(run)' },
  'loom.kernel.openExample': { title: 'Open an Example Cell', icon: '$(beaker)', hidden: true },
  'loom.kernel.interrupt': { title: 'Interrupt Kernel', icon: '$(debug-stop)' },
  'loom.kernel.reset': { title: 'Reset Kernel', icon: '$(debug-restart)' },
  'loom.check': { title: 'Check', icon: '$(checklist)' },
  'loom.showLog': { title: 'Show Log', icon: '$(output)' },
  'loom.openWalkthrough': { title: 'Open Walkthrough', icon: '$(book)' },
  'loom.resolveProblem': { title: 'Resolve Problem…', icon: '$(warning)', enablement: 'loom.problem' },
} as const satisfies Record<string, Command>;

export type CommandId = keyof typeof commands;

export type Setting = {
  schema: z.ZodType;
  default: unknown;
  scope: 'application' | 'machine' | 'window' | 'resource' | 'machine-overridable';
  description: string;
  /** What is offered where the schema allows more than it can list. */
  enum?: readonly string[];
  enumDescriptions?: readonly string[];
  /** Not read from a workspace that is not trusted. */
  restricted?: true;
};

/** Every two that are listed together; any number may be joined. */
const pairs = rosterNames.flatMap((one, n) => rosterNames.slice(n + 1).map((other) => `${one}+${other}`));
const toolsets = [...rosterNames, ...pairs, 'readonly', 'all'];
/** An unknown name gives whatever stands in for it. */
const isToolset = (name: string): boolean => toolsetNamed(name, 'all') === toolsetNamed(name, 'core');

export const settings = {
  'loom.toolset': {
    schema: z
      .string()
      .refine(
        isToolset,
        `Give ${rosterNames.join(', ')}, readonly or all; the first four can be joined, as in core+ledger.`,
      )
      .transform((name) => toolsetNamed(name)),
    enum: toolsets,
    default: 'core',
    scope: 'window',
    description:
      'Which of Loom’s tools are listed to the agent. Every listed tool is paid for on each turn; the agent calls the others through `loom_op` and `loom_op_write`, but for those that delete or run code.',
    enumDescriptions: [
      'Store, get, search: what an agent needs on most turns.',
      'All tools of the drawer.',
      'All tools of the Python kernel.',
      'Only the tools that say what Loom saved and cost.',
      ...pairs.map(() => 'The tools of both.'),
      'Every tool that only reads, or adds to Loom’s own drawer.',
      'Every tool.',
    ],
  },
  'loom.kernel.python': {
    schema: z.string(),
    default: '',
    scope: 'machine-overridable',
    description:
      'The Python that the kernel runs on, as an absolute path. Empty: the Python extension’s choice, else `.venv` of the workspace, else the one on the PATH.',
    restricted: true,
  },
  'loom.kernel.backend': {
    schema: z.enum(backendNames),
    default: 'auto',
    scope: 'machine-overridable',
    description: 'What the kernel runs on. A change takes effect with the next kernel (Reset Kernel).',
    enumDescriptions: [
      'IPython where it is installed, else plain Python; Pyodide where there is no Python.',
      'IPython, or an error where it is not installed.',
      'Python without IPython: no magics.',
      'The real ipykernel, over stdio: exact Jupyter behaviour, without the exact order of stdout and stderr.',
      'Python in WebAssembly: no threads, subprocesses, sockets or third-party packages.',
    ],
    restricted: true,
  },
  'loom.allowedDirs': {
    schema: z.array(z.string()),
    default: [],
    scope: 'machine',
    description:
      'Folders outside the workspace whose files `ctx_store_file` may read. Absolute paths; symbolic links are resolved first.',
    restricted: true,
  },
  'loom.drawer.ttlDays': {
    schema: z.number().positive(),
    default: defaultPolicy.ttlDays,
    scope: 'machine',
    description: 'Days without use after which a session and all it holds are purged.',
  },
  'loom.drawer.maxSizeMB': {
    schema: z.number().min(1).max(1_000),
    default: defaultPolicy.maxSizeMB,
    scope: 'machine',
    description: 'The drawer’s cap in MB. It is kept in memory: more than 200 costs much of it.',
  },
  'loom.drawer.whenFull': {
    schema: z.enum(['evict', 'refuse']),
    default: defaultPolicy.whenFull,
    scope: 'machine',
    description: 'What happens at the cap.',
    enumDescriptions: [
      'Expired sessions go, then the oldest documents that are not marked keep; their ids say so ever after.',
      'Nothing goes; nothing more is stored.',
    ],
  },
  'loom.redact': {
    schema: z.boolean(),
    default: defaultPolicy.redact,
    scope: 'machine',
    description:
      'Mask passwords, tokens and private keys in everything that is stored, from the next store and the next cell on.',
  },
  'loom.storeCmd.enabled': {
    schema: z.boolean(),
    default: false,
    scope: 'machine',
    description:
      'Lets `ctx_store_cmd` run commands in a trusted workspace, each confirmed by you and in a sandbox that writes only in the workspace and has no network.',
    restricted: true,
  },
  'loom.tokenizer': {
    schema: z.enum(counters),
    default: 'o200k_base',
    scope: 'machine',
    description:
      'What the ledger counts tokens by, from the next start of the window on. Entries keep what counted them, and sums over both say so.',
    enumDescriptions: ['The tokenizer of GPT-4o and later models.', 'The tokenizer of GPT-4 and GPT-3.5.'],
  },
  'loom.archive.enabled': {
    schema: z.boolean(),
    default: false,
    scope: 'application',
    description:
      'Keeps large results of the agent’s terminal and of other MCP servers in the drawer too, so that they can be searched after a compaction of the conversation took them from the agent. VS Code starts a small process for each tool call that hands the result over; no call waits for it.',
  },
  'loom.archive.threshold': {
    schema: z.number().int().min(1_000),
    default: defaultThreshold,
    scope: 'application',
    description: 'The fewest characters of a result that `loom.archive.enabled` keeps.',
  },
  'loom.statusBar.enabled': {
    schema: z.boolean(),
    default: true,
    scope: 'window',
    description:
      'Show in the status bar what Loom gained or cost in this window, once the agent has called it. What keeps the drawer from working is shown in any case.',
  },
  'loom.encryption': {
    schema: z.enum(['off', 'secretStorage', 'passphrase']),
    default: 'off',
    scope: 'application',
    description:
      'How the drawer lies on disk. Encrypted, everything is: content, search index, journal, exports excepted. A change is carried out at once, both ways; a recovery key is shown once.',
    enumDescriptions: [
      'As a plain SQLite file and journal, readable by you alone.',
      'AES-256-GCM under a key in VS Code’s secret storage (the system’s keyring).',
      'AES-256-GCM under a passphrase; other programs open it with `LOOM_DB_PASSWORD`.',
    ],
  },
} as const satisfies Record<string, Setting>;

export type SettingId = keyof typeof settings;

/** The id that the MCP provider is contributed and registered under. */
export const providerId = 'loom.drawer';
/** The server's name in VS Code; tools show as `mcp_<label in lower case>_<tool>`. */
export const serverLabel = 'Loom';
export const sidebarView = 'loom.sidebar';
/** The panel in the editor area. */
export const panelView = 'loom.panel';

const jsonSchema = ({ schema }: Setting): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return rest;
};

const hiddenCommands = (): { command: string; when: string }[] =>
  Object.entries<Command>(commands).flatMap(([command, { hidden }]) => (hidden ? [{ command, when: 'false' }] : []));

/** The `contributes` of package.json, with `%key%` for each word that a person reads, and those words by key. */
export const manifest = (): { contributes: Record<string, unknown>; words: Record<string, string> } => {
  const words: Record<string, string> = {};
  const word = (key: string, text: string): string => {
    words[key] = text;
    return `%${key}%`;
  };
  const property = ([id, setting]: [string, Setting]): [string, unknown] => [
    id,
    {
      ...jsonSchema(setting),
      ...(setting.enum && { enum: setting.enum }),
      default: setting.default,
      scope: setting.scope,
      markdownDescription: word(`${id}.description`, setting.description),
      ...(setting.enumDescriptions && {
        enumDescriptions: setting.enumDescriptions.map((text, n) => word(`${id}.enum.${n}`, text)),
      }),
    },
  ];
  const contributes = {
    mcpServerDefinitionProviders: [{ id: providerId, label: serverLabel }],
    commands: Object.entries<Command>(commands).map(([command, { title, icon, enablement }]) => ({
      command,
      category: 'Loom',
      title: word(`${command}.title`, title),
      icon,
      ...(enablement !== undefined && { enablement }),
    })),
    submenus: Object.entries(submenus).map(([id, label]) => ({ id, label: word(`submenu.${id}`, label) })),
    viewsContainers: { activitybar: [{ id: 'loom', title: 'Loom', icon: 'media/loom.svg' }] },
    views: {
      loom: [
        {
          type: 'webview',
          id: sidebarView,
          name: word('view.sidebar', 'Ledger and Drawer'),
          icon: 'media/loom.svg',
        },
      ],
    },
    ...Object.fromEntries(Object.values(chatFiles).map(({ point, path }) => [point, [{ path: `./${path}` }]])),
    chatPlugins: [{ path: './media/agent/archive', when: 'config.loom.archive.enabled' }],
    menus: { ...menus(sidebarView), commandPalette: hiddenCommands() },
    walkthroughs: walkthroughs(word),
    configuration: {
      title: 'Loom',
      properties: Object.fromEntries(Object.entries<Setting>(settings).map(property)),
    },
  };
  return { contributes, words };
};

/** Settings that a workspace may not set before it is trusted. */
export const restrictedSettings = (): string[] =>
  Object.entries<Setting>(settings).flatMap(([id, { restricted }]) => (restricted ? [id] : []));
