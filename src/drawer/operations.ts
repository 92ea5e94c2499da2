import { job, read, write } from '#base/operation.ts';
import {
  documentRow,
  findDocument,
  insertDocument,
  keepDocument,
  listAnchors,
  listDocuments,
  stagePiece,
} from './documents.ts';
import { indexDocuments } from './indexing.ts';
import {
  blockOf,
  describeScope,
  matchChunks,
  probeIndex,
  readBlocks,
  readChunks,
  readPiece,
  readWindows,
} from './match.ts';
import { readRange } from './ranges.ts';
import { openSession } from './sessions.ts';

/** What the drawer does where it is owned. Nothing here takes longer than a slice, however large a document is. */
export const drawerOperations = {
  'drawer.session': write(openSession),
  'drawer.find': read(findDocument),
  'drawer.stage': write(stagePiece),
  'drawer.insert': write(insertDocument),
  'drawer.keep': write(keepDocument),
  'drawer.index': job(indexDocuments),
  'drawer.read': read(readRange),
  'drawer.match': read(matchChunks),
  'drawer.scope': read(describeScope),
  'drawer.blockOf': read(blockOf),
  'drawer.blocks': read(readBlocks),
  'drawer.chunks': read(readChunks),
  'drawer.windows': read(readWindows),
  'drawer.documents': read(listDocuments),
  'drawer.row': read(documentRow),
  'drawer.anchors': read(listAnchors),
  'drawer.piece': read(readPiece),
  'drawer.probe': read(probeIndex),
};
export type DrawerOperations = typeof drawerOperations;
