// Reads chunks with their neighbours, for a search to make passages of.
import type { Tx } from '#base/tx.ts';
import { content } from '#drawer/documents/ranges.ts';
import type { Window } from '#text/hitLines.ts';

/** A chunk with its neighbours, whose bytes follow each other. */
export type ChunkWindow = Window & { title: string; chunk: number };

type WindowRow = { number: number; offset: number; bytes: number; line: number };

const readWindow = (tx: Tx, session: string | undefined, document: number, chunk: number): ChunkWindow | undefined => {
  const title = tx.get<{ title: string }>(
    'select title from document where id = ?1 and complete = 1 and (?2 is null or session = ?2)',
    [document, session ?? null],
  )?.title;
  const rows = tx.all<WindowRow>(
    'select number, offset, bytes, line from chunk where id between (?1 << 20) + ?2 - 1 and (?1 << 20) + ?2 + 1',
    [document, chunk],
  );
  const own = rows.find(({ number }) => number === chunk);
  const [first] = rows;
  const last = rows.at(-1);
  if (title === undefined || !own || !first || !last) return undefined;
  return {
    document,
    title,
    chunk,
    own: [own.offset, own.offset + own.bytes],
    offset: first.offset,
    line: first.line,
    bytes: content(tx, document, first.offset, last.offset + last.bytes),
  };
};

/** The chunks named (document and number) with their neighbours; one that is gone by now is left out. */
export const readWindows = (
  tx: Tx,
  { session, chunks }: { session?: string | undefined; chunks: readonly (readonly [number, number])[] },
): ChunkWindow[] =>
  chunks
    // In a row, so that chunks of one block open it once.
    .toSorted(([a, i], [b, j]) => a - b || i - j)
    .flatMap(([document, chunk]) => readWindow(tx, session, document, chunk) ?? []);
