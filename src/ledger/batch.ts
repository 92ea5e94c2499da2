// Entries that wait for others, so that they are written together.
import type { Log } from '#base/log.ts';
import type { Call } from '#base/operation.ts';
import type { LedgerEntry } from './entries.ts';
import type { ledgerOperations } from './operations.ts';
import { accountOf } from './scopes.ts';
import type { Account } from './types.ts';
import type { ReportArgs } from './types.ts';

/** Entries wait this long for others, so that a busy conversation costs one commit a second. */
const batchMs = 1_000;

export type Batch = {
  add: (entry: LedgerEntry) => void;
  /** Notes that a call of `account` stands in no entry. */
  lose: (account: Account) => void;
  /** Calls of that scope known to be lost and not yet kept as such. */
  lost: (scope: ReportArgs) => number;
  write: () => Promise<void>;
};

/**
 * Entries on their way into the drawer. A write that fails is logged and never fails a call: its calls count as not
 * measured, its listings, on which every later turn's price hangs, go with the next write.
 */
export const openBatch = (call: Call<typeof ledgerOperations>, log: Log): Batch => {
  let waiting: LedgerEntry[] = [];
  let lost: (Account & { calls: number })[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const lose = (account: Account, calls = 1): void => {
    const { session, conversation, client } = account;
    const same = lost.find((of) => of.session === session && of.conversation === conversation && of.client === client);
    if (same) same.calls += calls;
    else lost.push({ ...account, calls });
  };
  const writeNow = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length + lost.length === 0) return;
    const entries = waiting;
    const unmeasured = lost;
    waiting = [];
    lost = [];
    try {
      await call('ledger.append', { entries, unmeasured });
    } catch (error) {
      log.error(`${entries.length} ledger entries were lost`, error);
      for (const { calls, ...account } of unmeasured) lose(account, calls);
      for (const entry of entries) {
        if (entry.kind === 'call') lose(accountOf(entry));
        else waiting.push(entry);
      }
    }
  };
  const write = (): Promise<void> => (writing = writing.then(writeNow));

  return {
    add: (entry) => {
      waiting.push(entry);
      // The program may end without waiting for this: it disposes of the ledger if it can.
      timer ??= setTimeout(() => void write(), batchMs).unref();
    },
    lose,
    lost: (scope) => lost.filter((of) => isWithin(of, scope)).reduce((sum, { calls }) => sum + calls, 0),
    write,
  };
};

const isWithin = (account: Account, scope: ReportArgs): boolean => {
  if ('session' in scope) return account.session === scope.session;
  if ('conversation' in scope) return account.conversation === scope.conversation;
  return true;
};
