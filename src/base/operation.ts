// Operations: the only way in which anything reads or writes the drawer's file.
import type { Tx } from './tx.ts';

/** What travels to an operation and back: JSON, with bytes anywhere in it. */
export type Data =
  string | number | boolean | null | undefined | Uint8Array | readonly Data[] | { readonly [key: string]: Data };

export type Read<A, R> = { kind: 'read'; run: (tx: Tx, args: A) => R };
export type Write<A, R> = { kind: 'write'; run: (tx: Tx, args: A) => R };
/**
 * Long work. Each stretch between two `yield`s commits by itself and should last under 40 ms; other operations run in
 * between, and after a failover the generator starts anew: it must find in the drawer what is already done.
 */
export type Job<A, R> = { kind: 'job'; run: (tx: Tx, args: A) => Generator<void, R> };

/**
 * A named operation on the drawer: synchronous, run only in the process that owns the drawer, in one transaction.
 * `args` and the result are `Data`.
 */
export type Operation<A = never, R = unknown> = Read<A, R> | Write<A, R> | Job<A, R>;
export type Operations = Record<string, Operation>;

export const read = <A, R>(run: (tx: Tx, args: A) => R): Read<A, R> => ({ kind: 'read', run });
export const write = <A, R>(run: (tx: Tx, args: A) => R): Write<A, R> => ({ kind: 'write', run });
export const job = <A, R>(run: (tx: Tx, args: A) => Generator<void, R>): Job<A, R> => ({ kind: 'job', run });

export type ArgsOf<O> = O extends Operation<infer A> ? A : never;
export type ResultOf<O> =
  O extends Job<never, infer R> ? R : O extends Read<never, infer R> ? R : O extends Write<never, infer R> ? R : never;

export type CallOptions = {
  /** Names the request: one that is sent again under the same key is applied once. Made up where it is left out. */
  key?: string;
  /** Milliseconds until `DEADLINE`; the error says whether a write may still have been applied. */
  deadline?: number;
};

/** Runs the operation `name` wherever the drawer is owned. A write is durable when this resolves. */
export type Call<O extends Operations> = <K extends keyof O & string>(
  name: K,
  args: ArgsOf<O[K]>,
  options?: CallOptions,
) => Promise<ResultOf<O[K]>>;
