// STAND-IN until verify.ts brings its own `checkFacts`: same shape, plain substrings, line by line.
import type { Call } from '#base/operation.ts';
import { parseId } from './ids.ts';
import type { DrawerOperations } from './operations.ts';
import { literalPattern } from './pattern.ts';
import { scanDocument } from './patternScan.ts';

export type CheckArgs = { session: string; facts: readonly string[]; doc?: string | undefined };

/** Where a fact stands. */
export type Checked = {
  fact: string;
  /** In an anchor, so that it is in the prompt already; only in the content; or nowhere. */
  state: 'anchor' | 'retrievable' | 'absent';
  doc: string | undefined;
  /** The first line, from 1, that holds it. */
  line: number | undefined;
};

type Place = { document: number; line: number };

/** Says of each fact whether it stands in an anchor, can be had from the drawer, or is not there. */
export const checkFacts = async (
  call: Call<DrawerOperations>,
  { session, facts, doc }: CheckArgs,
  signal?: AbortSignal,
): Promise<Checked[]> => {
  const document = doc === undefined ? undefined : parseId(doc).document;
  const { unread } = await call('drawer.scope', { session, document, whole: true });
  const found = new Map<string, Place>();
  const shown = new Map<string, number>();
  for (const { document: id } of unread) {
    const { document: row } = await call('drawer.row', { document: id, session });
    const anchor = Buffer.from(row.anchor).toString('utf8');
    for (const fact of facts) {
      if (anchor.includes(fact) && !shown.has(fact)) shown.set(fact, id);
      if (found.has(fact)) continue;
      const pattern = literalPattern(fact);
      await scanDocument(
        call,
        id,
        pattern,
        ({ line }) => found.has(fact) || found.set(fact, { document: id, line }),
        signal,
      );
    }
  }
  return facts.map((fact): Checked => {
    const place = found.get(fact);
    const state = shown.has(fact) ? 'anchor' : place ? 'retrievable' : 'absent';
    const at = shown.get(fact) ?? place?.document;
    const line = place?.document === at ? place?.line : undefined;
    return { fact, state, doc: at === undefined ? undefined : `d${at}`, line };
  });
};
