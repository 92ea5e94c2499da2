import { read, write } from '#base/operation.ts';
import { addEntries, addUnmeasured, type Account, type LedgerEntry } from './entries.ts';
import { report } from './report.ts';
import type { ReportArgs } from './service.ts';

export type Append = {
  entries: readonly LedgerEntry[];
  /** Calls whose entries were lost since the last append that went well. */
  unmeasured: readonly (Account & { calls: number })[];
};

/** What the ledger does in the drawer. `recordMoved` is no operation: it belongs into the one that stores a document. */
export const ledgerOperations = {
  ledgerAppend: write((tx, { entries, unmeasured }: Append) => {
    addEntries(tx, entries);
    for (const { calls, ...account } of unmeasured) addUnmeasured(tx, account, calls);
  }),
  ledgerReport: read((tx, args: ReportArgs) => report(tx, args)),
};
