// Verifies a document from the pieces that are stored of it.
import { createHash } from 'node:crypto';
import { grouped } from '#base/text.ts';
import { invariantKinds } from '#drawer/contents.ts';
import { decompress, type Block, type ChunkRow, type Piece } from '#drawer/documents/blocks.ts';
import { InvariantReader } from '#drawer/invariants/reader.ts';
import { TallyCounter, type Tally } from '#drawer/invariants/table.ts';

/** What a document is said to be. */
export type Claim = {
  sha256: string;
  bytes: number;
  lines: number;
  chunks: number;
  /** The invariants of the content as it came; undefined where only what is stored can be read. */
  tally: Tally | undefined;
};

/** What the stored pieces of a document were found to be. Lossless where there is no fault. */
export type Verdict = {
  faults: string[];
  /** Occurrences of invariants in the stored blocks, and how many of them its chunks give back. */
  invariants: number;
  retrieved: number;
};

const mostChunkBytes = 4096;
const newline = 10;
/** One fault is worth telling of, a thousand of the same kind are not. */
const mostFaults = 20;

const newlines = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
};

const total = (tally: Tally): number => invariantKinds.reduce((sum, kind) => sum + tally[kind].count, 0);
const isSame = (one: Tally, other: Tally): boolean =>
  invariantKinds.every((kind) => one[kind].count === other[kind].count && one[kind].sum === other[kind].sum);

/**
 * Judges a document by its stored pieces alone: it knows nothing of how they were made. Blocks are
 * opened, chunks are cut out of them as a retrieval does, and both are read again: bytes against their hash, chunks
 * against bytes, line numbers against line ends, invariants of the chunks against those of the blocks and of the claim.
 */
export class PieceVerifier {
  readonly #claim: Claim;
  readonly #faults: string[] = [];
  readonly #hash = createHash('sha256');
  readonly #ofBlocks = new TallyCounter();
  readonly #ofChunks = new TallyCounter();
  readonly #blocks = new InvariantReader(this.#ofBlocks.add);
  readonly #chunks = new InvariantReader(this.#ofChunks.add);
  #bytes = 0;
  #lineEnds = 0;
  #lastByte = newline;
  #chunkCount = 0;
  #chunkBytes = 0;
  #outOfPlace = false;

  constructor(claim: Claim) {
    this.#claim = claim;
  }

  /** The next blocks of the document, with the chunks in them. */
  *add({ blocks, chunks }: Piece): Generator<void, void> {
    const byBlock = Map.groupBy(chunks, ([, block]) => block);
    for (const block of blocks) {
      const bytes = this.#open(block);
      yield* this.#blocks.feed(bytes);
      for (const chunk of byBlock.get(block.number) ?? []) {
        yield* this.#chunks.feed(this.#cut(chunk, block, bytes));
      }
      this.#hash.update(bytes);
      this.#bytes += bytes.length;
      yield;
    }
  }

  /** No fault so far. */
  get isSound(): boolean {
    return this.#faults.length === 0;
  }

  end(): Verdict {
    this.#blocks.end();
    this.#chunks.end();
    const { sha256, bytes, lines, chunks, tally } = this.#claim;
    const [ofBlocks, ofChunks] = [this.#ofBlocks.tally(), this.#ofChunks.tally()];
    this.#expect('bytes', this.#bytes, bytes);
    this.#expect('bytes in chunks', this.#chunkBytes, bytes);
    this.#expect('chunks', this.#chunkCount, chunks);
    this.#expect('lines', this.#lineEnds + (this.#lastByte === newline ? 0 : 1), lines);
    if (this.#hash.digest('hex') !== sha256) this.#fault('the bytes do not have the SHA-256 that was recorded');
    if (!isSame(ofBlocks, ofChunks)) this.#fault('the chunks do not hold the invariants of the bytes');
    if (tally && !isSame(tally, ofChunks)) this.#fault('the chunks do not hold the invariants of the content');
    const retrieved = invariantKinds.reduce(
      (sum, kind) => sum + Math.min(ofChunks[kind].count, (tally ?? ofBlocks)[kind].count),
      0,
    );
    return { faults: this.#faults, invariants: total(tally ?? ofBlocks), retrieved };
  }

  #open({ number, offset, data }: Block): Buffer {
    if (offset !== this.#bytes) this.#fault(`block ${number} begins at byte ${offset} instead of ${this.#bytes}`);
    try {
      return decompress(data);
    } catch {
      this.#fault(`block ${number} cannot be opened`);
      return Buffer.alloc(0);
    }
  }

  /** The bytes of a chunk, once it stands where it should. */
  #cut([number, , offset, length, line]: ChunkRow, block: Block, bytes: Buffer): Buffer {
    const cut = bytes.subarray(Math.max(0, offset - block.offset), Math.max(0, offset - block.offset) + length);
    if (number !== this.#chunkCount + 1 || offset !== this.#chunkBytes || cut.length !== length) {
      // Behind the first that is out of place all the others are.
      if (!this.#outOfPlace) this.#fault(`chunk ${number} does not follow the one before it`);
      this.#outOfPlace = true;
    } else if (length === 0 || length > mostChunkBytes) this.#fault(`chunk ${number} has ${length} bytes`);
    else if (line !== this.#lineEnds + 1)
      this.#fault(`chunk ${number} begins in line ${this.#lineEnds + 1}, not ${line}`);
    this.#chunkCount++;
    this.#chunkBytes += cut.length;
    this.#lineEnds += newlines(cut);
    this.#lastByte = cut.at(-1) ?? this.#lastByte;
    return cut;
  }

  #expect(what: string, found: number, claimed: number): void {
    if (found !== claimed) this.#fault(`${grouped(found)} ${what} instead of ${grouped(claimed)}`);
  }

  #fault(words: string): void {
    if (this.#faults.length < mostFaults) this.#faults.push(words);
  }
}
