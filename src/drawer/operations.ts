import { job, read, write } from '#base/operation.ts';
import {
  documentRow,
  documentsIn,
  findDocument,
  insertDocument,
  keepDocument,
  listAnchors,
  listDocuments,
  stagePiece,
} from '#drawer/documents/documents.ts';
import { indexDocuments, resetIndex } from '#drawer/index/fullText.ts';
import {
  blockOf,
  describeScope,
  matchChunks,
  probeIndex,
  readBlocks,
  readChunks,
  readPiece,
  readWindows,
} from '#drawer/search/match.ts';
import { pageChunks, pageDocuments } from '#drawer/documents/pages.ts';
import { sessionProfile } from '#drawer/anchor/budgets.ts';
import { chunkNumberAt, readRange } from '#drawer/documents/ranges.ts';
import { compact, eraseRemoved, removeDocuments } from '#drawer/sessions/removal.ts';
import { evictable, pendingGrowth } from '#drawer/store/space.ts';
import { endSessions, expiredSessions, listSessions, openSession, sessionOrThrow } from '#drawer/sessions/sessions.ts';

/** What the drawer does where it is owned. Nothing here takes longer than a slice, however large a document is. */
export const drawerOperations = {
  'drawer.session': write(openSession),
  'drawer.find': read((tx, args: { session: string; sha256: string }) => ({
    profile: sessionProfile(tx, args),
    same: findDocument(tx, args),
  })),
  'drawer.stage': write(stagePiece),
  'drawer.insert': write(insertDocument),
  'drawer.keep': write(keepDocument),
  'drawer.index': job(indexDocuments),
  'drawer.resetIndex': write(resetIndex),
  'drawer.read': read(readRange),
  'drawer.match': read(matchChunks),
  'drawer.scope': read(describeScope),
  'drawer.blockOf': read(blockOf),
  'drawer.blocks': read(readBlocks),
  'drawer.chunks': read(readChunks),
  'drawer.chunkAt': read(chunkNumberAt),
  'drawer.windows': read(readWindows),
  'drawer.documents': read(listDocuments),
  'drawer.page': read(pageDocuments),
  'drawer.chunkPage': read(pageChunks),
  'drawer.idsIn': read(documentsIn),
  'drawer.sessions': read(listSessions),
  'drawer.expired': read(expiredSessions),
  'drawer.sessionOrThrow': read(sessionOrThrow),
  'drawer.endSessions': write(endSessions),
  'drawer.profile': write(sessionProfile),
  'drawer.remove': write(removeDocuments),
  'drawer.erase': job(eraseRemoved),
  'drawer.compact': job(compact),
  'drawer.pending': read(pendingGrowth),
  'drawer.evictable': read(evictable),
  'drawer.row': read(documentRow),
  'drawer.anchors': read(listAnchors),
  'drawer.piece': read(readPiece),
  'drawer.probe': read(probeIndex),
};
export type DrawerOperations = typeof drawerOperations;

/** Those that run at the cap too: they free space, finish what was accepted, or are small. */
export const uncappedOperations = [
  'drawer.session',
  'drawer.keep',
  'drawer.index',
  'drawer.resetIndex',
  'drawer.endSessions',
  'drawer.profile',
  'drawer.remove',
  'drawer.erase',
  'drawer.compact',
] as const satisfies (keyof DrawerOperations)[];
