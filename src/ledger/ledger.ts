import { randomUUID } from 'node:crypto';
import type { Log } from '#base/log.ts';
import type { Call } from '#base/operation.ts';
import { inSlices } from '#base/slices.ts';
import { openBatch } from './batch.ts';
import type { CallEntry, Counted, LedgerEntry, ListingEntry } from './entries.ts';
import { exportEntries } from './export.ts';
import type { ledgerOperations } from './operations.ts';
import { accountOf } from './scopes.ts';
import type { CallRecord, LedgerService, ListingRecord } from './service.ts';
import { countTokens } from './tokens.ts';
import { counter } from './vocabulary.ts';

export type LedgerDeps = {
  call: Call<typeof ledgerOperations>;
  log: Log;
  /** Milliseconds since 1970. */
  clock: () => number;
};

export type Ledger = LedgerService & {
  /** Writes what waits. Not to be used after. */
  dispose: () => Promise<void>;
};

/** The ledger over the drawer's operations. Records are counted one at a time, in the order they came. */
export const createLedger = ({ call, log, clock }: LedgerDeps): Ledger => {
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
      const report = await call('ledgerReport', args);
      const counters = report.counters.length > 0 ? report.counters : [counter];
      return { ...report, counters, unmeasured: report.unmeasured + batch.lost(args) };
    },
    entries: async (args) => {
      await settle();
      return call('ledgerEntries', args);
    },
    series: async (args) => {
      await settle();
      return call('ledgerSeries', args);
    },
    exportEntries: async (args) => {
      await settle();
      return exportEntries(call, args);
    },
    count: async ({ text }) => ({ ...(await inSlices(countTokens(text))), counter }),
    dispose: settle,
  };
};

const counted = async (text: string): Promise<Counted> => ({
  ...(await inSlices(countTokens(text))),
  bytes: Buffer.byteLength(text),
});

const countedWith = async (whole: readonly string[], part: string | undefined): Promise<CallEntry['call']> => {
  const total = { tokens: 0, bytes: 0, estimated: false };
  for (const text of whole) {
    const { tokens, bytes, estimated } = await counted(text);
    total.tokens += tokens;
    total.bytes += bytes;
    total.estimated ||= estimated;
  }
  const { tokens, estimated } = await counted(part ?? '');
  return { ...total, part: tokens, estimated: total.estimated || estimated };
};

const callEntry = async (of: CallRecord, identity: string, at: number): Promise<CallEntry> => ({
  kind: 'call',
  ...accountOf(of),
  identity,
  at,
  counter,
  turn: of.turn,
  tool: of.tool,
  call: await countedWith([of.call], of.through),
  answer: await countedWith(of.answer, of.returned),
  latency: Math.round(of.latencyMs),
});

const listingEntry = async (of: ListingRecord, identity: string, at: number): Promise<ListingEntry> => ({
  kind: 'listing',
  ...accountOf(of),
  identity,
  at,
  counter,
  listing: await counted(of.text),
});
