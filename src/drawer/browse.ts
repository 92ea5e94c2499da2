import type { Call } from '#base/operation.ts';
import type { Page, Stretch } from '#base/page.ts';
import type { CallControl } from '#base/rpc.ts';
import { renderAnchor } from './anchor.ts';
import { parseId } from './ids.ts';
import { inspect } from './inspect.ts';
import type { DrawerOperations } from './operations.ts';
import { documentInfo } from './documents.ts';
import type { ChunkInfo, DocumentDetail, DocumentFilter, DocumentInfo, Inspected } from './contents.ts';

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
