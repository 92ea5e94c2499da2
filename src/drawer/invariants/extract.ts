// All invariants of a content, or of a short text.
import type { InvariantKind } from '#drawer/contents.ts';
import { InvariantReader } from './reader.ts';
import { InvariantTable, TallyCounter, type Tally } from './table.ts';

export type Extracted = { table: InvariantTable; tally: Tally };

/** The different invariants of a whole content. */
export function* extractInvariants(bytes: Buffer): Generator<void, Extracted> {
  const table = new InvariantTable(bytes);
  const tally = new TallyCounter();
  const reader = new InvariantReader((kind, seen, from, to, base) => {
    table.add(kind, base + from, base + to);
    tally.add(kind, seen, from, to);
  });
  yield* reader.feed(bytes);
  reader.end();
  return { table, tally: tally.tally() };
}

/** The invariants of a short text, in its order. */
export const invariantsOf = (text: string): { kind: InvariantKind; text: string }[] => {
  const found: { kind: InvariantKind; text: string }[] = [];
  const reader = new InvariantReader((kind, bytes, from, to) => {
    found.push({ kind, text: bytes.toString('utf8', from, to) });
  });
  for (const _ of reader.feed(Buffer.from(text)));
  reader.end();
  return found;
};
