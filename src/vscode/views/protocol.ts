// What the views and the extension say to each other. Types only: the webview imports this file and nothing else of src, and
// nothing of it at run time. What arrives from a webview is checked by fromWebview.ts.
import type {
  ChunkInfo,
  DocumentDetail,
  DocumentFilter,
  DocumentInfo,
  Inspected,
  Kind,
  Page,
  Passage,
  SessionInfo,
  Stretch,
} from '#drawer/contents.ts';
import type { ExecutionRow, StreamName } from '#kernel/types.ts';
import type { EntryKind, EntryRow, Report, ReportArgs, Series, Span } from '#ledger/types.ts';
import type { Plural, Words } from './words.ts';

export type {
  ChunkInfo,
  DocumentDetail,
  DocumentInfo,
  EntryKind,
  EntryRow,
  ExecutionRow,
  Inspected,
  Kind,
  Page,
  Passage,
};
export type { Plural, Series, SessionInfo, Span, Stretch, StreamName, Words };

export type ViewId = 'sidebar' | 'panel';
export type Bill = Report;

/** One stored document, for the sidebar's list. */
export type DocumentRow = Pick<DocumentInfo, 'id' | 'title' | 'tokens' | 'tokensEstimated' | 'anchorTokens'>;

/** How the drawer and the window are, as far as a person must know. */
export type Status = {
  /** Bytes of the drawer; `maxBytes` is 0 where it is only open for reading. */
  usedBytes: number;
  maxBytes: number;
  nearlyFull: boolean;
  whenFull: 'evict' | 'refuse';
  /** `client`: another process holds the file. `view`: nobody can, and it is only readable. */
  role: 'owner' | 'client' | 'view';
  /** In a view: why it is one, and what is not in it. */
  problem: string | undefined;
  missing: string[];
  trusted: boolean;
};

/** The bills of this window's session and of everything ever. */
export type Bills = {
  session: Bill;
  life: Bill;
  /** The gain from which Loom is worth its place in a prompt, as a share. */
  gainLine: number;
};

/** All that the sidebar shows, at one moment. */
export type Sidebar = {
  bills: Bills;
  /** Over the span that the page asked for. */
  series: { span: Span; session: Series; life: Series };
  status: Status;
  /** The latest documents of all sessions, newest first. */
  documents: DocumentRow[];
};

/** What the panel shows beside its lists. */
export type Panel = {
  bills: Bills;
  status: Status;
  /** This window's session. */
  session: string;
  /** The one used last first. */
  sessions: SessionInfo[];
};

export type Snapshots = { sidebar: Sidebar; panel: Panel };
export type TabId = 'documents' | 'sessions' | 'kernel' | 'ledger';

export type PassagePage = {
  passages: Passage[];
  /** Passages that were found and do not stand here. */
  more: number;
  /** False: no passage has all the words, these have some of them. */
  all: boolean;
  /** Documents that were searched. */
  documents: number;
};

/** What the panel asks for, a piece at a time: its lists may be of any length. */
export type Asks = {
  documents: { args: DocumentFilter & Stretch; answer: Page<DocumentInfo> };
  chunks: { args: { id: string } & Stretch; answer: Page<ChunkInfo> };
  detail: { args: { id: string }; answer: DocumentDetail };
  inspect: { args: { id: string }; answer: Inspected };
  search: { args: { query: string; session?: string | undefined }; answer: PassagePage };
  executions: { args: { session?: string | undefined } & Stretch; answer: Page<ExecutionRow> };
  entries: {
    args: { scope: ReportArgs; kind?: EntryKind | undefined; tool?: string | undefined } & Stretch;
    answer: Page<EntryRow>;
  };
};
export type AskName = keyof Asks;
export type Ask = { [N in AskName]: { name: N; args: Asks[N]['args'] } }[AskName];

export type ToWebview<V extends ViewId = ViewId> =
  | { kind: 'snapshot'; snapshot: Snapshots[V] }
  /** What became different since the last of these; also where only rows of lists did. */
  | { kind: 'changes'; changes: Partial<Snapshots[V]> }
  /** The drawer does not open. `ways` are labels of what a person can do about it. */
  | { kind: 'error'; message: string; ways: string[] }
  /** The person asked for a tab. */
  | { kind: 'show'; tab: TabId }
  | { kind: 'answer'; request: number; answer: Asks[AskName]['answer'] }
  | { kind: 'refusal'; request: number; message: string };

/** The commands that the views have buttons for. */
export type ViewCommand =
  | 'loom.storeActiveFile'
  | 'loom.storeFile'
  | 'loom.searchDrawer'
  | 'loom.showLog'
  | 'loom.openDrawer'
  | 'loom.openLedger'
  | 'loom.purge'
  | 'loom.exportLedger'
  | 'workbench.trust.manage';

export type FromWebview =
  /** The page listens now: it wants a snapshot, and then what changes. `span`: of the sidebar's chart. */
  | { kind: 'ready'; span?: Span | undefined }
  /** One of the ways out of the last error, by its place. */
  | { kind: 'way'; index: number }
  | { kind: 'span'; span: Span }
  | { kind: 'ask'; request: number; ask: Ask }
  /** Nobody waits for this answer any more. */
  | { kind: 'cancel'; request: number }
  | { kind: 'openDocument'; id: string; line?: number | undefined }
  | { kind: 'openStream'; session: string; execution: number; stream: StreamName }
  | { kind: 'runCommand'; command: ViewCommand; argument?: string | undefined };
