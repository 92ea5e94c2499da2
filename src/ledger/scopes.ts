// Scopes: a conversation, a session, everything ever.
import type { Tx } from '#base/tx.ts';
import type { Account, ReportArgs } from './types.ts';

export const accountOf = ({ session, conversation, client }: Account): Account => ({ session, conversation, client });

const nameOf = (args: ReportArgs): string => {
  if ('session' in args) return `session ${args.session}`;
  if ('conversation' in args) return `conversation ${args.conversation}`;
  return 'life';
};

/** The number of a scope; undefined where nothing was ever entered in it. */
export const scopeOf = (tx: Tx, args: ReportArgs): number | undefined =>
  tx.get<{ id: number }>('select id from ledger_scope where name = ?', [nameOf(args)])?.id;

/** The number of a scope, given to it now where it has none. */
export const scopeIn = (tx: Tx, args: ReportArgs): number => {
  const found = scopeOf(tx, args);
  if (found !== undefined) return found;
  tx.run('insert into ledger_scope (name) values (?)', [nameOf(args)]);
  return scopeIn(tx, args);
};

/** Every scope that an entry of `account` stands in. */
export const scopesOf = (tx: Tx, { session, conversation }: Account): number[] =>
  [{ session }, { conversation }, { life: true } as const].map((args) => scopeIn(tx, args));
