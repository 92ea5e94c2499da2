// STAND-IN for `checkFacts` of the branch that has invariants and verifier: the same shape, but letter by letter and within
// one line only. When facts.ts is there: take it in drawer.ts and service.ts, and drop this file and `literalPattern`.
import type { Call } from '#base/operation.ts';
import { documentId, parseId } from './ids.ts';
import type { DrawerOperations } from './operations.ts';
import { literalPattern } from './pattern.ts';
import { scanDocument } from './patternScan.ts';

export type CheckArgs = { session: string; facts: readonly string[]; doc?: string | undefined };

/** Where a fact stands. */
export type CheckedFact = {
  fact: string;
  /** In an anchor; only in what is stored, a retrieval away; or nowhere. */
  where: 'anchor' | 'retrievable' | 'absent';
  /** The first places in what is stored. */
  places: { doc: string; title: string; lines: readonly [number, number] }[];
  /** The document in whose anchor it stands. */
  anchor: string | undefined;
};

const mostPlaces = 3;

/** Says of each fact whether it stands in an anchor, can be had from the drawer, or is not there. */
export const checkFacts = async (
  call: Call<DrawerOperations>,
  { session, facts, doc }: CheckArgs,
  signal?: AbortSignal,
): Promise<CheckedFact[]> => {
  const document = doc === undefined ? undefined : parseId(doc).document;
  const { unread } = await call('drawer.scope', { session, document, whole: true });
  const checked = facts.map((fact): CheckedFact => ({ fact, where: 'absent', places: [], anchor: undefined }));
  for (const { document: id } of unread) {
    const { document: row } = await call('drawer.row', { document: id, session });
    const anchor = Buffer.from(row.anchor).toString('utf8');
    for (const one of checked) {
      if (anchor.includes(one.fact)) one.anchor ??= documentId(id);
      const found = ({ line }: { line: number }): void => {
        if (one.places.length < mostPlaces)
          one.places.push({ doc: documentId(id), title: row.title, lines: [line, line] });
      };
      if (one.places.length < mostPlaces) await scanDocument(call, id, literalPattern(one.fact), found, signal);
    }
  }
  for (const one of checked) {
    if (one.places.length > 0) one.where = 'retrievable';
    if (one.anchor !== undefined) one.where = 'anchor';
  }
  return checked;
};
