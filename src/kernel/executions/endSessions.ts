// What a purge takes from the kernel.
import type { Tx } from '#base/tx.ts';

/**
 * Removes, within a transaction, all that the records hold of these sessions. Numbers go on behind those that were given
 * out, and it stays known when those went. What lies in files goes with the next tidying: its keys are gone already.
 */
export const endSessions = (tx: Tx, sessions: readonly string[], now: number): void => {
  for (const session of sessions) {
    tx.run('insert or ignore into execution_purge select session, last, ? from execution_counter where session = ?', [
      now,
      session,
    ]);
    tx.run('delete from execution where session = ?', [session]);
  }
};
