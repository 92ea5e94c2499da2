// The drawer as programs and other rooms see it: its service, with what it is asked and what it answers.
import type { CallControl } from '#base/rpc.ts';
import type { Masked } from '#base/secrets/mask.ts';
import type { Page, RowRange } from '#base/page.ts';
import type { DrawerPolicy } from './policy.ts';
import type { Range } from '#text/range.ts';
import type {
  CheckedFact,
  ChunkInfo,
  DocumentDetail,
  DocumentFilter,
  DocumentInfo,
  Inspected,
  Kind,
  OnDisk,
  Passage,
  SessionInfo,
  Source,
  VerifiedAll,
} from './contents.ts';

export type { CheckedFact, DocumentInfo, Kind, Passage, SessionInfo, Source, VerifiedAll };

/** The client and its conversation, as the ledger names them. */
export type Account = { client: string; conversation: string };

/** How whatever is stored is stored. */
type StoreOptions = {
  session: string;
  title?: string | undefined;
  /** Most tokens that the anchor may have. */
  budget?: number | undefined;
  /** Sets the budget where none is given; the session's own where it is left out. */
  profile?: Profile | undefined;
  /** Store even what is too small to be worth moving, and never evict it. */
  keep?: boolean | undefined;
  /** Whose bill it goes on: the drawer hands it to its `bill` and does not read it. */
  account?: Account | undefined;
};

export type StoreArgs = StoreOptions & {
  bytes: Uint8Array;
  source: Source;
  /** The file that they were read from, as it was then: `modified` in milliseconds since 1970. */
  file?: { size: number; modified: number } | undefined;
  /** A line that whoever stores it means: the answer shows it, and what is stored is the same. */
  focus?: number | undefined;
  /** Store it however small it is, as `keep` does; but it may be evicted. */
  always?: true | undefined;
};

export type StoreFilesArgs = StoreOptions & {
  /** Paths or globs, relative to the first of `roots` or absolute. */
  paths: readonly string[];
  /** The folders that may be read. */
  roots: readonly string[];
};

/** How much an anchor shows; nothing in it changes what is stored. */
export type Profile = 'strict' | 'balanced' | 'aggressive';

/** What became of one stored document. */
export type Stored = {
  /** `d7`; undefined where the content was too small to be worth moving and so was not stored. */
  id: string | undefined;
  title: string;
  /** The anchor; where `inline`, the whole content instead. */
  text: string;
  inline: boolean;
  /** Only an inline text that is not valid UTF-8 is base64. */
  encoding: 'text' | 'base64';
  /** The same bytes were already in this session: the ids are the old ones. */
  duplicate: boolean;
  /** Other names under which these bytes were stored before. */
  alsoNamed: readonly string[];
  kind: Kind;
  bytes: number;
  lines: number;
  chunks: number;
  sha256: string;
  tokens: number;
  /** `tokens` was extrapolated, because the content is too large to count. */
  tokensEstimated: boolean;
  /** Tokens of `text`. */
  anchorTokens: number;
  /** The secrets that were masked on the way in. */
  redactions: readonly Masked[];
  /** Documents that went to make space, the oldest first. */
  evicted: readonly string[];
  /**
   * Share of the different invariants that stand in `text`; the others are a search away. Undefined where the anchor was
   * made by an earlier store.
   */
  coverage: number | undefined;
};

export type StoredFiles = {
  stored: Stored[];
  /** Files that could not be read or were refused, with the reason in words. */
  refused: { path: string; reason: string }[];
};

export type StoreCommandArgs = StoreOptions & {
  command: string;
  /** Where it runs; inside `workspace`, which it may write in. */
  cwd: string;
  workspace: string;
  /** Folders and files that it may read wherever they lie; and the variables of the environment that it gets besides. */
  readable: readonly string[];
  environment: readonly string[];
  timeoutMs: number;
};

/** How a command ended. Nothing here says what its output means. */
export type Ended = {
  exitCode: number | undefined;
  signal: string | undefined;
  /** Why it was stopped; undefined where it ended by itself. */
  stopped: 'timeout' | 'output' | 'processes' | 'cancelled' | undefined;
  /** Milliseconds. */
  duration: number;
};
export type RanCommand = Ended & { output: readonly { stream: 'stdout' | 'stderr'; bytes: Buffer }[] };

export type StoredCommand = Ended & {
  /** Both streams, in the order in which they arrived. */
  both: Stored;
  /** Which of its lines, first and last, were stderr. */
  stderrLines: readonly (readonly [number, number])[];
  /** Ids of each stream apart, where both were used and they are stored. */
  stdout: string | undefined;
  stderr: string | undefined;
};

export type GetArgs = {
  session: string;
  /** Documents or chunks: `d7`, `d7.12`, `d7:120-180`, or a title that one document of the session has. */
  ids: readonly string[];
  /** Lines, from 1; of the document, also where `ids` names a chunk. */
  lines?: Range | undefined;
  /** Bytes, from 0. */
  bytes?: Range | undefined;
  /** Where the page before ended. */
  cursor?: string | undefined;
  encoding?: 'text' | 'base64' | undefined;
  /** Most UTF-16 units of all `text` of the answer together. */
  units: number;
};

/** A part of a document, exactly as stored. */
export type Excerpt = {
  id: string;
  /** As a passage has it. */
  title: string;
  newer?: string | undefined;
  onDisk?: OnDisk | undefined;
  text: string;
  /** base64 where it was asked for, or where the bytes are not valid UTF-8. */
  encoding: 'text' | 'base64';
  lines: readonly [number, number];
  /** First and last byte, from 0; last is first - 1 for an empty one. */
  bytes: readonly [number, number];
  totalLines: number;
  totalBytes: number;
  /** A secret was masked within it on the way in: these are the stored bytes, not those of the source. */
  masked: boolean;
};

export type Got = {
  stretches: Excerpt[];
  /** Where the rest of what was asked for begins; undefined where the answer is complete. */
  cursor: string | undefined;
};

export type SearchArgs = {
  session: string;
  query: string;
  /** `query` is a pattern, matched line by line; everything is read for it. */
  regex?: boolean | undefined;
  /** Only in this document. */
  doc?: string | undefined;
  /** `latest`, the usual: of a file that was stored more than once its newest version only, unless `doc` names another. */
  versions?: 'latest' | 'all' | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Most UTF-16 units of all passages' text together. */
  units: number;
};

export type Found = {
  passages: Passage[];
  /** Passages that were found and do not stand here; lines of a pattern. */
  more: number;
  cursor: string | undefined;
  /** How the words were matched: all of them, any of them, as a substring, or as a pattern. */
  matched: 'all' | 'any' | 'substring' | 'regex' | 'none';
  searched: { documents: number; chunks: number };
  /** Older versions of files, which were not searched. */
  older: number;
  /** Documents of other sessions are never searched; how many there are, so that an empty answer can say so. */
  otherSessions: number;
};

export type PurgeArgs = {
  /** This session; undefined: all that have expired. */
  session?: string | undefined;
  /** The caller's own session stays, though empty. */
  own: string;
  /** Without it nothing is done, and the answer says what would go. */
  confirm: boolean;
};
export type Purged = {
  done: boolean;
  sessions: SessionInfo[];
  /** Ids of what went, or would go; the first 1,000. */
  documents: readonly string[];
};

export type CheckArgs = {
  session: string;
  facts: readonly string[];
  /** Only in this document. */
  doc?: string | undefined;
};

export type VerifyScope = {
  /** One document, by its id of any session or its title in this one; else a session; else the whole drawer. */
  doc?: string | undefined;
  session?: string | undefined;
};
export type TransferArgs = {
  /** Documents, or chunks, which become documents of their own. */
  ids: readonly string[];
  from: string;
  to: string;
  /** The originals go; their ids name the new ones. */
  move: boolean;
};
export type Transferred = {
  from: string;
  to: string;
  bytes: number;
  /** The target had the same bytes before. */
  duplicate: boolean;
};

/** For a person's views: lists of any length, and one document from the inside. Documents of every session. */
export type BrowseService = {
  /** Newest first. */
  documentPage: (args: DocumentFilter & RowRange) => Promise<Page<DocumentInfo>>;
  /** In the order of the document. */
  chunkPage: (args: { id: string } & RowRange) => Promise<Page<ChunkInfo>>;
  documentDetail: (args: { id: string }) => Promise<DocumentDetail>;
  inspect: (args: { id: string }, control: CallControl) => Promise<Inspected>;
};

/** What the drawer offers to the programs around it. All of it rejects with a LoomError. */
export type DrawerService = BrowseService & {
  /** The session of one kind of client in one workspace root, made at its first use. */
  session: (args: { client: string; root: string }) => Promise<string>;
  store: (args: StoreArgs, control: CallControl) => Promise<Stored>;
  storeFiles: (args: StoreFilesArgs, control: CallControl) => Promise<StoredFiles>;
  /** A file that a person chose, wherever it lies: no root bounds it, and it moves nothing out of a prompt. */
  storePersonsFile: (
    args: { session: string; path: string; title: string; keep: boolean },
    control: CallControl,
  ) => Promise<Stored>;
  /** Runs a command in a sandbox and stores what it writes. Refuses where there is no sandbox. */
  storeCommand: (args: StoreCommandArgs, control: CallControl) => Promise<StoredCommand>;
  get: (args: GetArgs) => Promise<Got>;
  search: (args: SearchArgs, control?: CallControl) => Promise<Found>;
  /** For a person's views, newest first: every session's documents, or one session's. */
  documents: (args: { session?: string | undefined; limit: number }) => Promise<DocumentInfo[]>;
  /** For a person's views: a whole document of any session, or a chunk of it. */
  readDocument: (args: { id: string }) => Promise<{ info: DocumentInfo; bytes: Uint8Array }>;
  /** What `readDocument` would read; `bytes` of it. */
  documentInfo: (args: { id: string }) => Promise<{ info: DocumentInfo; bytes: number }>;
  /** What a person decided, as the drawer acts on it now. */
  policy: (args: Record<string, never>) => Promise<DrawerPolicy>;
  /** All sessions, the one used last first. */
  sessions: (args: Record<string, never>) => Promise<SessionInfo[]>;
  /** Shows a session's profile; sets it first where one is given. */
  profile: (args: { session: string; profile?: Profile | undefined }) => Promise<Profile>;
  /** Removes sessions with all they hold. When it resolves, nothing of them is on disk any more. */
  purge: (args: PurgeArgs) => Promise<Purged>;
  /** Recomputes what is claimed of documents from what is stored of them. */
  verify: (args: VerifyScope, control: CallControl) => Promise<VerifiedAll>;
  check: (args: CheckArgs, control: CallControl) => Promise<CheckedFact[]>;
  transfer: (args: TransferArgs, control: CallControl) => Promise<Transferred[]>;
  /** Compacts the drawer's file; sizes in bytes. */
  vacuum: (args: Record<string, never>) => Promise<{ before: number; after: number }>;
  /** Waits at most `ms` milliseconds until the full-text index has everything. Answers how many chunks it lacks then. */
  settleIndex: (args: { ms: number }) => Promise<number>;
  /** Makes the full-text index anew from the content. */
  rebuildIndex: (args: Record<string, never>, control: CallControl) => Promise<{ documents: number; chunks: number }>;
  /** For a person's search: as `search`, over every session. */
  searchAll: (args: Omit<SearchArgs, 'session'>, control?: CallControl) => Promise<Found>;
};
