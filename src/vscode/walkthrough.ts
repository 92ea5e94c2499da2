// The walkthrough.
type CommandId = `loom.${string}`;

export const walkthroughId = 'loom.start';

type Step = {
  title: string;
  /** Markdown, without the buttons. */
  description: string;
  buttons: readonly (readonly [
    label: string,
    command: CommandId | `${string}.focus` | `workbench.action.openSettings?${string}`,
  ])[];
  /** What the picture shows, for who does not see it. */
  picture: string;
  /** Any of these ends the step. */
  completedBy: readonly `on${'Command' | 'View' | 'Context' | 'SettingChanged'}:${string}`[];
};

const onCommand = (...ids: readonly CommandId[]): Step['completedBy'] => ids.map((id) => `onCommand:${id}` as const);

/** The steps, by id; the picture of each is `media/walkthrough/<id>.svg`, drawn in the theme's own colours. */
const steps = {
  store: {
    title: 'Put a file into the drawer',
    description:
      'A log, a JSON file, the output of tests: what is too long for a prompt goes into Loom’s local drawer, byte for byte. An agent gets a short anchor with an id in its place. Secrets are masked on the way in.',
    buttons: [
      ['Store File…', 'loom.storeFile'],
      ['Store Clipboard', 'loom.storeClipboard'],
    ],
    picture: 'A long log goes into a drawer; a short anchor with the id d1 stays in the prompt.',
    completedBy: onCommand(
      'loom.storeFile',
      'loom.storeActiveFile',
      'loom.storeSelection',
      'loom.storeResource',
      'loom.storeClipboard',
      'loom.storeTerminalSelection',
    ),
  },
  search: {
    title: 'Search it',
    description:
      'Search as you type, over everything stored. The hit opens at its line, in a read-only editor with the very bytes.',
    buttons: [['Search Drawer…', 'loom.searchDrawer']],
    picture: 'A search for an error code lists lines with their numbers; one of them opens.',
    completedBy: onCommand('loom.searchDrawer'),
  },
  ask: {
    title: 'Ask the agent',
    description:
      'Copilot’s agent mode finds Loom’s tools by itself: there is nothing to configure. It stores large files instead of reading them, and searches. The button types a question for you; send it when you like.',
    buttons: [['Ask the Agent', 'loom.askAgent']],
    picture: 'In the chat, the agent calls ctx_store_file and ctx_search, and answers with line numbers.',
    completedBy: onCommand('loom.askAgent'),
  },
  cell: {
    title: 'Run a cell',
    description:
      'The agent’s Python is yours too: names stay between calls, each cell has a number, and its output stays readable and searchable. It runs in a trusted workspace only, with your rights.',
    buttons: [
      ['Open an Example Cell', 'loom.kernel.openExample'],
      ['Run Selection in Kernel', 'loom.kernel.runSelection'],
    ],
    picture: 'Two cells, In [1] and In [2]; the second uses a name that the first has set.',
    completedBy: onCommand('loom.kernel.runSelection'),
  },
  bill: {
    title: 'Read the bill',
    description:
      'Loom counts what it keeps out of the prompt and what it costs: its listing on every turn, calls, answers. The net may be negative, and then it says so. The status bar shows this window’s, once the agent has called Loom.',
    buttons: [['Open the Ledger', 'loom.openLedger']],
    picture: 'A bill: kept out of the prompt, less listing, calls and answers, is the net.',
    completedBy: ['onView:loom.sidebar'],
  },
  archive: {
    title: 'Keep what a compaction drops',
    description:
      'A long conversation is compacted to a summary that holds no results. With the archive on, large results of the terminal and of other MCP servers are kept in the drawer, and the agent finds them afterwards. It is off until you switch it on.',
    buttons: [['Open the Setting', 'workbench.action.openSettings?%5B%22loom.archive%22%5D']],
    picture: 'Two large results go from a conversation into the drawer; after a compaction the agent searches there.',
    completedBy: ['onSettingChanged:loom.archive.enabled'],
  },
  clients: {
    title: 'Use it from other clients',
    description:
      'Claude Code, Claude Desktop, Cursor, Windsurf, Codex: any MCP client can share this drawer. Loom copies what to paste, and says where.',
    buttons: [['Copy MCP Configuration…', 'loom.copyClientConfiguration']],
    picture: 'One drawer in the middle; several clients around it.',
    completedBy: onCommand('loom.copyClientConfiguration'),
  },
} as const satisfies Record<string, Step>;

/** `contributes.walkthroughs`; `word` keeps a text under a key and gives the reference to it. */
export const walkthroughs = (word: (key: string, text: string) => string): object[] => [
  {
    id: walkthroughId,
    title: word('walkthrough.title', 'Get Started with Loom'),
    description: word(
      'walkthrough.description',
      'A drawer for what is too long for a prompt, a Python that remembers, and an honest bill.',
    ),
    icon: 'media/loom.svg',
    steps: Object.entries<Step>(steps).map(([id, { title, description, buttons, picture, completedBy }]) => ({
      id,
      title: word(`walkthrough.${id}.title`, title),
      description: word(
        `walkthrough.${id}.description`,
        [description, ...buttons.map(([label, command]) => `[${label}](command:${command})`)].join('\n\n'),
      ),
      media: { svg: `media/walkthrough/${id}.svg`, altText: word(`walkthrough.${id}.picture`, picture) },
      completionEvents: completedBy,
    })),
  },
];
