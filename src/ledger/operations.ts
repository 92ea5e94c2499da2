// The ledger's operations.
import { read, write } from '#base/operation.ts';
import { addEntries, addUnmeasured, type LedgerEntry } from './entries.ts';
import { following, page } from './pages.ts';
import { report } from './report.ts';
import { series } from './series.ts';
import type { Account, ReportArgs } from './types.ts';

export type Append = {
  entries: readonly LedgerEntry[];
  /** Calls whose entries were lost since the last append that went well. */
  unmeasured: readonly (Account & { calls: number })[];
};

/** What the ledger does in the drawer. `recordMoved` is no operation: it belongs into the one that stores a document. */
export const ledgerOperations = {
  'ledger.append': write((tx, { entries, unmeasured }: Append) => {
    addEntries(tx, entries);
    for (const { calls, ...account } of unmeasured) addUnmeasured(tx, account, calls);
  }),
  'ledger.report': read(report),
  'ledger.entries': read(page),
  /** A scope's report, and the last entry that it is over. */
  'ledger.summary': read((tx, args: ReportArgs) => ({
    report: report(tx, args),
    last: page(tx, { ...args, offset: 0, limit: 1 }).rows[0]?.id ?? 0,
  })),
  'ledger.following': read(following),
  'ledger.series': read(series),
};
