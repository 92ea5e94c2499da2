// What a room's parts of the views ask of it: a question is one entry, its arguments and who answers.
import { z } from 'zod';
import type { Need, Services } from './room.ts';
import type { CallControl } from './rpc.ts';

/** Questions by name, as a room's asks.ts tells them to the page too: types only, and none that needs Node. */
export type AskTypes = Record<string, { args: object; answer: unknown }>;

/** `signal` aborts where nobody waits for the answer any more. */
export type AskControl = Pick<CallControl, 'signal'>;

export type Ask<T extends AskTypes[string] = AskTypes[string], N extends Need = Need> = {
  /** A page's messages are input: only what this takes is answered. */
  args: z.ZodType<T['args']>;
  answer: (args: T['args'], services: Pick<Services, N>, control: AskControl) => Promise<T['answer']>;
};

export type View<A extends AskTypes = AskTypes, N extends Need = Need> = {
  /** The services that answers use. */
  needs: readonly N[];
  /** By name; on the way from the page a name is `room.name`. */
  asks: { readonly [K in keyof A]: Ask<A[K], N> };
};

/** Types a room's questions by what its asks.ts tells the page. The lists forget that type: only views ask. */
export const defineAsks = <A extends AskTypes, const N extends Need = never>(view: View<A, N>): View =>
  view as unknown as View;

/** Forms of arguments: any text of a page, and a stretch of a list. */
export const text = z.string().max(2_000);
export const stretch = { offset: z.int().min(0), limit: z.int().min(1).max(500) };
