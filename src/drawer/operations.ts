// The table of what the drawer does where it is owned.
import { job, read, write, type Call } from '#base/operation.ts';
import {
  documentRow,
  documentsIn,
  findSame,
  listAnchors,
  listDocuments,
  titledDocuments,
} from '#drawer/documents/documents.ts';
import { insertDocument, keepDocument, stagePiece } from '#drawer/documents/insert.ts';
import { pageChunks, pageDocuments } from '#drawer/documents/pages.ts';
import { recordPath, standings } from '#drawer/documents/paths.ts';
import { chunkNumberAt, readRange } from '#drawer/documents/ranges.ts';
import { blockOf, readBlocks, readChunks, readPiece } from '#drawer/documents/readBlocks.ts';
import { indexDocuments, resetIndex, waitingChunks } from '#drawer/index/fullText.ts';
import { describeScope, matchChunks, probeIndex } from '#drawer/search/match.ts';
import { readWindows } from '#drawer/search/windows.ts';
import { compact, eraseRemoved, removeDocuments } from '#drawer/sessions/removal.ts';
import {
  endSessions,
  expiredSessions,
  listSessions,
  openSession,
  sessionOrThrow,
  sessionProfile,
} from '#drawer/sessions/sessions.ts';
import { evictable, pendingGrowth } from '#drawer/store/growth.ts';

/** Nothing here takes longer than a slice, however large a document is. */
export const drawerOperations = {
  'drawer.session': write(openSession),
  'drawer.find': read((tx, args: { session: string; sha256: string }) => ({
    profile: sessionProfile(tx, args),
    ...findSame(tx, args),
  })),
  'drawer.stage': write(stagePiece),
  'drawer.insert': write(insertDocument),
  'drawer.keep': write(keepDocument),
  'drawer.path': write(recordPath),
  'drawer.standings': read(standings),
  'drawer.index': job(indexDocuments),
  'drawer.resetIndex': write(resetIndex),
  'drawer.waiting': read(waitingChunks),
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
  'drawer.titled': read(titledDocuments),
  'drawer.anchors': read(listAnchors),
  'drawer.piece': read(readPiece),
  'drawer.probe': read(probeIndex),
};
export type DrawerOperations = typeof drawerOperations;
/** Runs one of them wherever the drawer is owned. */
export type DrawerCall = Call<DrawerOperations>;

/** Those that run at the cap too: they free space, finish what was accepted, or are small. */
export const uncappedOperations = [
  'drawer.session',
  'drawer.keep',
  'drawer.path',
  'drawer.index',
  'drawer.resetIndex',
  'drawer.endSessions',
  'drawer.profile',
  'drawer.remove',
  'drawer.erase',
  'drawer.compact',
] as const satisfies (keyof DrawerOperations)[];
