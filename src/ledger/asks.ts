// What the ledger's parts of the views ask. Types only: the page takes them too, so nothing here needs Node.
import type { Page, RowRange } from '#base/page.ts';
import type { EntryKind, EntryRow, Report, ReportArgs, Series, Span } from './types.ts';

/** Of a session, and of everything ever. */
type Both<T> = { session: T; life: T };
/** `gainLine`: the gain from which Loom is worth its place in a prompt, as a share. */
export type Bills = Both<Report> & { gainLine: number };

export type LedgerAsks = {
  bills: { args: { session: string }; answer: Bills };
  series: { args: { session: string; span: Span }; answer: Both<Series> };
  entries: {
    args: { scope: ReportArgs; kind?: EntryKind | undefined; tool?: string | undefined } & RowRange;
    answer: Page<EntryRow>;
  };
};
