// What the ledger's tab asks. Types only: the page takes them too, so nothing here needs Node.
import type { Page, Stretch } from '#base/page.ts';
import type { EntryKind, EntryRow, ReportArgs } from './types.ts';

export type LedgerAsks = {
  entries: {
    args: { scope: ReportArgs; kind?: EntryKind | undefined; tool?: string | undefined } & Stretch;
    answer: Page<EntryRow>;
  };
};
