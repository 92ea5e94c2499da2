// What the views and the extension say to each other, whatever rooms there are. Types only: the webview takes nothing of src
// at run time. What arrives from a webview is checked by fromWebview.ts.
import type { DocumentInfo, SessionInfo } from '#drawer/contents.ts';
import type { Report as Bill, Series, Span } from '#ledger/types.ts';

export type ViewId = 'sidebar' | 'panel';

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

export type ToWebview<V extends ViewId = ViewId> =
  | { kind: 'snapshot'; snapshot: Snapshots[V] }
  /** What became different since the last of these; also where only rows of lists did. */
  | { kind: 'changes'; changes: Partial<Snapshots[V]> }
  /** The drawer does not open. `ways` are labels of what a person can do about it. */
  | { kind: 'error'; message: string; ways: string[] }
  /** The person asked for a tab. */
  | { kind: 'show'; tab: string }
  | { kind: 'answer'; request: number; answer: unknown }
  | { kind: 'refusal'; request: number; message: string };

export type FromWebview =
  /** The page listens now: it wants a snapshot, and then what changes. `span`: of the sidebar's chart. */
  | { kind: 'ready'; span?: Span | undefined }
  /** One of the ways out of the last error, by its place. */
  | { kind: 'way'; index: number }
  | { kind: 'span'; span: Span }
  /** A question of a room, as `room.name`. */
  | { kind: 'ask'; request: number; name: string; args: unknown }
  /** Nobody waits for this answer any more. */
  | { kind: 'cancel'; request: number }
  | { kind: 'runCommand'; command: string; args: readonly unknown[] };
