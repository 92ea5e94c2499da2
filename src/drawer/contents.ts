// What the drawer holds, as lists and views show it. The webview's program takes these types too, so nothing here needs Node.
import type { Redaction } from '#base/secrets.ts';
import type { InvariantKind } from './invariants/kinds.ts';

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

/** Neighbouring chunks around hits, cut to the lines that matter; exact text. */
export type Passage = {
  doc: string;
  title: string;
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
  redactions: Redaction[];
};
