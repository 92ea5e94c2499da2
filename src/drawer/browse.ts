import type { Call } from '#base/operation.ts';
import type { Redaction } from '#base/redact.ts';
import type { CallControl } from '#base/rpc.ts';
import { renderAnchor } from './anchor.ts';
import { parseId } from './ids.ts';
import { inspect } from './inspect.ts';
import type { InvariantKind } from './invariants/kinds.ts';
import type { DrawerOperations } from './operations.ts';
import { documentInfo } from './documents.ts';
import type { DocumentInfo, Kind } from './service.ts';

/** A stretch of a list: `offset` from 0, `limit` rows at most. */
export type Stretch = { offset: number; limit: number };
export type Page<R> = {
  rows: R[];
  /** Rows of the whole list. */
  total: number;
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

/** For a person's views: lists of any length, and one document from the inside. Documents of every session. */
export type BrowseService = {
  /** Newest first. */
  documentPage: (args: DocumentFilter & Stretch) => Promise<Page<DocumentInfo>>;
  /** In the order of the document. */
  chunkPage: (args: { id: string } & Stretch) => Promise<Page<ChunkInfo>>;
  documentDetail: (args: { id: string }) => Promise<DocumentDetail>;
  inspect: (args: { id: string }, control: CallControl) => Promise<Inspected>;
};

export const createBrowser = (call: Call<DrawerOperations>, counter: string): BrowseService => ({
  documentPage: (args) => call('drawer.page', args),
  chunkPage: ({ id, ...stretch }) => call('drawer.chunkPage', { document: parseId(id).document, ...stretch }),
  documentDetail: async ({ id }) => {
    const { document, indexed } = await call('drawer.row', { document: parseId(id).document });
    const body = Buffer.from(document.anchor).toString('utf8');
    const anchor = body === '' ? '' : renderAnchor(document.id, document, body, counter);
    return { ...documentInfo(document), anchor, indexed };
  },
  inspect: ({ id }, { signal }) => inspect(call, parseId(id).document, signal),
});
