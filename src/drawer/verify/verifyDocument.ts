// Recomputes everything that is claimed of a document from what is stored of it.
import { inSlices } from '#base/slices.ts';
import { counted } from '#base/text.ts';
import { visibleInvariants } from '#drawer/anchor/visible.ts';
import type { Verified } from '#drawer/contents.ts';
import { decompress, type Block, type ChunkRow } from '#drawer/documents/blocks.ts';
import { documentId, parseId } from '#drawer/ids.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import type { Probe } from '#drawer/search/match.ts';
import { wordsOf } from '#text/terms.ts';
import { PieceVerifier } from './pieceVerifier.ts';

export type VerifyArgs = {
  /** `d7`. */
  doc: string;
  /** Undefined: a document of any session. */
  session?: string | undefined;
  signal?: AbortSignal | undefined;
};

/** Chunks whose place in the index is looked up in one operation. */
const probesAtOnce = 16;
/** Words of a chunk that must lead back to it. */
const wordsOfChunk = 2;
const longestWord = 40;
/** Most chunks of a document that are looked up by their words: each such look reads all places of a word. */
const mostByWords = 1_000;

/** The words of a chunk that are likely to be its own: the longest. In an order that never differs. */
const probesOf = (text: string): string[] =>
  Array.from(new Set(wordsOf(text.toLowerCase()).map((word) => word.text)))
    .filter((word) => word.length >= 3 && word.length <= longestWord && /^[a-z0-9]+$/.test(word))
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, wordsOfChunk);

/** Every chunk is looked up; each `every`th of the document by its words too. */
const probesIn = (blocks: readonly Block[], chunks: readonly ChunkRow[], every: number): Probe[] => {
  const rows = Map.groupBy(chunks, ([, block]) => block);
  return blocks.flatMap(({ number, offset, data }) => {
    const bytes = decompress(data);
    return (rows.get(number) ?? []).map(([chunk, , from, length]): Probe => {
      if ((chunk - 1) % every > 0) return [chunk, []];
      // As the index reads it: a character that a cut broke is none of its words.
      return [chunk, probesOf(bytes.toString('utf8', from - offset, from - offset + length))];
    });
  });
};

/** Looks up chunks in the index; answers with those that it does not lead to. */
const lostToIndex = async (call: DrawerCall, document: number, all: readonly Probe[]): Promise<number[]> => {
  const lost: number[] = [];
  for (let at = 0; at < all.length; at += probesAtOnce) {
    lost.push(...(await call('drawer.probe', { document, probes: all.slice(at, at + probesAtOnce) })));
  }
  return lost;
};

/** Recomputes everything that is claimed of a document from what is stored of it. */
export const verifyDocument = async (call: DrawerCall, { doc, session, signal }: VerifyArgs): Promise<Verified> => {
  const { document: id } = parseId(doc);
  const { document, indexed } = await call('drawer.row', { document: id, session });
  const { title, bytes, chunks, sha256, lines } = document;
  const verifier = new PieceVerifier({ sha256, bytes, lines, chunks, tally: undefined });
  const lost: number[] = [];
  const every = Math.ceil(chunks / mostByWords);
  for (let from: number | undefined = 0; from !== undefined;) {
    const piece: { blocks: Block[]; chunks: ChunkRow[]; next: number | undefined } = await call('drawer.piece', {
      document: id,
      from,
    });
    await inSlices(verifier.add(piece), signal);
    const known = piece.chunks.filter(([number]) => number <= indexed);
    lost.push(...(await lostToIndex(call, id, verifier.isSound ? probesIn(piece.blocks, known, every) : [])));
    from = piece.next;
  }
  const { faults, invariants, retrieved } = verifier.end();
  if (lost.length > 0) faults.push(`${counted(lost.length, 'chunk')} not found through the index: rebuild it`);
  const body = Buffer.from(document.anchor).toString('utf8');
  return {
    doc: documentId(id),
    title,
    bytes,
    chunks,
    sha256,
    invariants,
    retrieved,
    inAnchor: body === '' ? undefined : visibleInvariants(body).length,
    indexed: {
      found: indexed - lost.length,
      expected: indexed,
      byWords: every === 0 ? 0 : Math.ceil(indexed / every),
    },
    lossless: faults.length === 0,
    faults,
  };
};
