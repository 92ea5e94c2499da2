// What the drawer holds, as lists and views show it. The webview's program takes these types too, so nothing here needs Node.
import type { Masked } from '#base/secrets/mask.ts';

/** Where a document's bytes came from. */
export type Source =
  /** The text stood in the call itself, so the model wrote it. */
  | { kind: 'text' }
  /** A file that Loom read; `path` is absolute, symbolic links resolved. */
  | { kind: 'file'; path: string }
  /** A command wrote it; `path` is the command, with secrets masked. */
  | { kind: 'command'; path: string }
  /** A person stored it from the editor. */
  | { kind: 'editor'; path: string }
  /** A result that the agent has seen: of `tool`, in `conversation` as the client names it. */
  | { kind: 'archive'; tool: string; conversation: string };

/** The kinds of content whose shape the drawer knows. A wrong guess costs nothing but a poorer anchor. */
export const kinds = [
  'log',
  'json',
  'ndjson',
  'yaml',
  'csv',
  'markdown',
  'diff',
  'code',
  'html',
  'plain',
  'binary',
] as const;
export type Kind = (typeof kinds)[number];

/**
 * Facts that must never be lost. Ports, versions, dates and plain numbers are kinds of their own: `:8080`, `v1.2.3`,
 * `2026-11-29`, `12 ms`. In the order in which an anchor lists them.
 */
export const invariantKinds = ['constraint', 'url', 'path', 'version', 'hash', 'port', 'date', 'id', 'number'] as const;
export type InvariantKind = (typeof invariantKinds)[number];

/** A file that is no longer what was stored of it. */
export type OnDisk = { title: string; state: 'changed' | 'gone' };

/** Neighbouring chunks around hits, cut to the lines that matter; exact text. */
export type Passage = {
  doc: string;
  /** Where the same bytes were stored under several names, all of them: `prod.json = staging.json`. */
  title: string;
  /** The document that was stored last from the same path. */
  newer?: string | undefined;
  onDisk?: OnDisk | undefined;
  /** The chunks it was cut from. */
  chunks: readonly string[];
  lines: readonly [number, number];
  /** Line numbers that hold a hit. */
  hits: readonly number[];
  text: string;
  score: number;
};

export type DocumentInfo = {
  id: string;
  session: string;
  title: string;
  kind: Kind;
  source: Source;
  bytes: number;
  lines: number;
  chunks: number;
  tokens: number;
  tokensEstimated: boolean;
  anchorTokens: number;
  sha256: string;
  keep: boolean;
  /** How many secrets were masked in it. */
  redacted: number;
  /** Milliseconds since 1970. */
  storedAt: number;
};

/** A session as lists show it: what it holds, nothing of the content. */
export type SessionRow = {
  id: string;
  client: string;
  root: string;
  createdAt: number;
  usedAt: number;
  documents: number;
  bytes: number;
  kept: number;
};

export type SessionInfo = SessionRow & {
  /** Nobody used it for so long that the next purge takes it. */
  expired: boolean;
  /** When it will have expired unless it is used, in milliseconds since 1970. */
  expiresAt: number;
};

/** What is left out takes in all. `title`: a part of the title, whatever the case of its ASCII letters. */
export type DocumentFilter = { session?: string | undefined; kind?: Kind | undefined; title?: string | undefined };

export type ChunkInfo = {
  /** `d7.12`. */
  id: string;
  /** The line that it begins in, from 1. */
  line: number;
  /** Its first byte, from 0, and how many it has. */
  offset: number;
  bytes: number;
  /** How it begins, on one line; empty where it is not text. */
  text: string;
};

export type DocumentDetail = DocumentInfo & {
  /** What the model was shown in place of the document; empty where it was shown whole. */
  anchor: string;
  /** Chunks that stand in the full-text index. */
  indexed: number;
};

/** What the content of a document says of itself. */
export type Inspected = {
  /** Bytes that were looked at, from the first: fewer than it has where it is large. */
  bytes: number;
  /** Different values of each kind, and the first of them in the order of the document. */
  invariants: { kind: InvariantKind; total: number; values: { text: string; count: number }[] }[];
  /** The masks that stand where secrets were; the first ones. */
  redactions: Masked[];
};

/** Where a fact stands. Case, and how much white space there is between its words, make no difference. */
export type CheckedFact = {
  fact: string;
  /** In an anchor; only in what is stored, a retrieval away; or nowhere. */
  where: 'anchor' | 'retrievable' | 'absent';
  /** The first places in what is stored. */
  places: { doc: string; title: string; lines: readonly [number, number] }[];
  /** The document in whose anchor it stands. */
  anchor: string | undefined;
};

/** What a document was found to be, all of it recomputed from what is stored. */
export type Verified = {
  doc: string;
  title: string;
  bytes: number;
  chunks: number;
  sha256: string;
  /** Occurrences of invariants in the content, and how many of them its chunks give back. */
  invariants: number;
  retrieved: number;
  /** Occurrences in the anchor's text; undefined where the content itself was shown. */
  inAnchor: number | undefined;
  /** Chunks that stand in the full-text index, of those that should by now. */
  indexed: {
    found: number;
    expected: number;
    /** Of these, chunks that were also looked up by words of their own: spread evenly where a document is large. */
    byWords: number;
  };
  /** Nothing is lost and nothing contradicts anything: no fault. */
  lossless: boolean;
  /** What is wrong, in words. */
  faults: string[];
};

/** The same of several documents together. */
export type VerifiedAll = {
  documents: number;
  bytes: number;
  chunks: number;
  invariants: number;
  retrieved: number;
  indexed: Verified['indexed'];
  /** Documents with a fault; the first 50. */
  faulty: readonly Verified[];
  /** The only document, where there is one. */
  only: Verified | undefined;
};
