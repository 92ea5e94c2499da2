// The ledger's service: takes records, counts them, answers reports.
import { randomUUID } from 'node:crypto';
import type { Log } from '#base/log.ts';
import type { Call } from '#base/operation.ts';
import { inSlices } from '#base/slices.ts';
import { openBatch } from './batch.ts';
import { entriesBy } from './counting.ts';
import type { LedgerEntry } from './entries.ts';
import { exportEntries } from './export.ts';
import type { ledgerOperations } from './operations.ts';
import { accountOf } from './scopes.ts';
import type { Counter, LedgerService } from './types.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';

export type LedgerDeps = {
  call: Call<typeof ledgerOperations>;
  log: Log;
  /** What counts new entries. */
  counter: Counter;
  /** Milliseconds since 1970. */
  clock: () => number;
};

export type Ledger = LedgerService & {
  /** Writes what waits. Not to be used after. */
  dispose: () => Promise<void>;
};

/** The ledger over the drawer's operations. Records are counted one at a time, in the order they came. */
export const createLedger = ({ call, log, counter, clock }: LedgerDeps): Ledger => {
  const { callEntry, listingEntry } = entriesBy(counter);
  const batch = openBatch(call, log);
  // Names the entries of this program's run, so that a batch that is sent twice is kept once.
  const run = randomUUID().slice(0, 8);
  let last = 0;
  let counting = Promise.resolve();

  const record = <R>(
    of: R,
    count: (of: R, identity: string, at: number) => Promise<LedgerEntry>,
    onFailure?: (of: R) => void,
  ): Promise<void> => {
    const identity = `${run}-${++last}`;
    const at = clock();
    counting = counting.then(async () => {
      try {
        batch.add(await count(of, identity, at));
      } catch (error) {
        log.error('the ledger could not count', error);
        onFailure?.(of);
      }
    });
    return counting;
  };
  const settle = async (): Promise<void> => {
    await counting;
    await batch.write();
  };

  return {
    recordCall: (of) => record(of, callEntry, (lost) => batch.lose(accountOf(lost))),
    recordListing: (of) => record(of, listingEntry),
    report: async (args) => {
      await settle();
      const report = await call('ledger.report', args);
      const counters = report.counters.length > 0 ? report.counters : [counter];
      return { ...report, counters, unmeasured: report.unmeasured + batch.lost(args) };
    },
    entries: async (args) => {
      await settle();
      return call('ledger.entries', args);
    },
    series: async (args) => {
      await settle();
      return call('ledger.series', args);
    },
    exportEntries: async (args) => {
      await settle();
      return exportEntries(call, args);
    },
    count: async ({ text }) => ({ ...(await inSlices(countTokens(text, counter))), counter }),
    dispose: settle,
  };
};
