// Reads what a document is stored in: its blocks, still compressed, and the rows of its chunks.
import type { Tx } from '#base/tx.ts';
import type { Block, ChunkRow } from './blocks.ts';

export type BlocksArgs = { document: number; from: number };
export type Blocks = {
  blocks: Block[];
  /** The block to go on with; undefined at the end. */
  next: number | undefined;
};

/** Blocks that are read at once: 1 MB of content. */
const mostBlocks = 16;

/**
 * Block `from` of a document and those that follow it, still compressed: the caller opens them. The last one, except at
 * the end, only serves for what reaches over a border: it comes again as the first of the next ones.
 */
export const readBlocks = (tx: Tx, { document, from }: BlocksArgs): Blocks => {
  const blocks = tx.all<Block>(
    'select number, offset, data from block where document = ? and number >= ? order by number limit ?',
    [document, from, mostBlocks + 1],
  );
  return { blocks, next: blocks.length > mostBlocks ? from + mostBlocks : undefined };
};

/** The chunks of some blocks of a document. */
export const readChunks = (
  tx: Tx,
  { document, from, to }: { document: number; from: number; to: number },
): { number: number; offset: number; bytes: number }[] =>
  tx.all('select number, offset, bytes from chunk where document = ? and offset >= ? and offset < ? order by offset', [
    document,
    from,
    to,
  ]);

/** Blocks from `from` on, as `readBlocks`, with the chunks in them, but none of them twice. */
export const readPiece = (
  tx: Tx,
  { document, from }: BlocksArgs,
): { blocks: Block[]; chunks: ChunkRow[]; next: number | undefined } => {
  const { blocks, next } = readBlocks(tx, { document, from });
  const own = next === undefined ? blocks : blocks.slice(0, -1);
  const [first] = own;
  const end = next === undefined ? Number.MAX_SAFE_INTEGER : (blocks.at(-1)?.offset ?? 0);
  const chunks = tx.all<{ number: number; block: number; offset: number; bytes: number; line: number }>(
    `select number, block, offset, bytes, line from chunk where document = ? and offset >= ? and offset < ?
      order by offset`,
    [document, from === 0 ? -1 : (first?.offset ?? 0), end],
  );
  return {
    blocks: own,
    chunks: chunks.map(({ number, block, offset, bytes, line }) => [number, block, offset, bytes, line]),
    next,
  };
};

/** The block that a chunk stands in. */
export const blockOf = (tx: Tx, { document, chunk }: { document: number; chunk: number }): number =>
  tx.get<{ block: number }>('select block from chunk where id = (? << 20) + ?', [document, chunk])?.block ?? 0;
