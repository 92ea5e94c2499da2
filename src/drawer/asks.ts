// What the drawer's parts of the views ask. Types only: the page takes them too, so nothing here needs Node.
import type { Page, RowRange } from '#base/page.ts';
import type { ChunkInfo, DocumentDetail, DocumentFilter, DocumentInfo, Inspected, Passage } from './contents.ts';

export type PassagePage = {
  passages: Passage[];
  /** Passages that were found and do not stand here. */
  more: number;
  /** False: no passage has all the words, these have some of them. */
  all: boolean;
  /** Documents that were searched. */
  documents: number;
};

export type DrawerAsks = {
  documents: { args: DocumentFilter & RowRange; answer: Page<DocumentInfo> };
  /** Of all sessions, the newest first. */
  latest: { args: { limit: number }; answer: DocumentInfo[] };
  chunks: { args: { id: string } & RowRange; answer: Page<ChunkInfo> };
  detail: { args: { id: string }; answer: DocumentDetail };
  inspect: { args: { id: string }; answer: Inspected };
  search: { args: { query: string; session?: string | undefined }; answer: PassagePage };
};
