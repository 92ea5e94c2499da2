// What the views and the extension say to each other, whatever rooms there are. Types only: the webview takes nothing of src
// at run time. What arrives from a webview is checked by fromWebview.ts.
import type { SessionInfo } from '#drawer/contents.ts';

export type ViewId = 'sidebar' | 'panel';

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

/** What all parts of the views are drawn from, at one moment; the rest they ask for. */
export type Snapshot = {
  status: Status;
  /** This window's session. */
  session: string;
  /** For the panel; the one used last first. */
  sessions: SessionInfo[];
};

export type ToWebview =
  | { kind: 'snapshot'; snapshot: Snapshot }
  /** What became different since the last of these; also where only what is asked for did. */
  | { kind: 'changes'; changes: Partial<Snapshot> }
  /** The drawer does not open. `ways` are labels of what a person can do about it. */
  | { kind: 'error'; message: string; ways: string[] }
  /** The person asked for a tab. */
  | { kind: 'show'; tab: string }
  | { kind: 'answer'; request: number; answer: unknown }
  | { kind: 'refusal'; request: number; message: string };

export type FromWebview =
  /** The page listens now: it wants a snapshot, and then what changes. */
  | { kind: 'ready' }
  /** One of the ways out of the last error, by its place. */
  | { kind: 'way'; index: number }
  /** A question of a room, as `room.name`. */
  | { kind: 'ask'; request: number; name: string; args: unknown }
  /** Nobody waits for this answer any more. */
  | { kind: 'cancel'; request: number }
  | { kind: 'runCommand'; command: string; args: readonly unknown[] };
