// What the sidebar and the extension say to each other. Types only: the webview imports this file and nothing else of src,
// and nothing of it at run time. What arrives from the webview is checked by fromWebview.ts.
import type { Report } from '#ledger/service.ts';

export type Bill = Report;

/** One stored document, for a list. */
export type DocumentRow = {
  id: string;
  title: string;
  tokens: number;
  tokensEstimated: boolean;
  anchorTokens: number;
};

/** All that the sidebar shows, at one moment. */
export type Snapshot = {
  /** The bill of this window's session, and of everything ever. */
  session: Bill;
  life: Bill;
  /** The gain from which Loom is worth its place in a prompt, as a share. */
  gainLine: number;
  /** Bytes of the drawer; `maxBytes` is 0 where it is only open for reading. */
  drawer: { usedBytes: number; maxBytes: number };
  /** The latest documents of all sessions, newest first. */
  documents: DocumentRow[];
};

export type ToWebview = { kind: 'snapshot'; snapshot: Snapshot } | { kind: 'error'; message: string };

/** The commands that the sidebar has buttons for. */
export type SidebarCommand = 'loom.storeActiveFile' | 'loom.searchDrawer' | 'loom.showLog';

export type FromWebview =
  /** The page listens now: it wants a snapshot, and then one after each change. */
  { kind: 'ready' } | { kind: 'openDocument'; id: string } | { kind: 'runCommand'; command: SidebarCommand };
