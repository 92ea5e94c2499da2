/**
 * What a member asked and was not yet answered. INVARIANT: a request is settled once: by its answer, its deadline, or the
 * end of the store. Until then it is sent again, under the same key, to whoever owns the drawer next.
 */
import { randomBytes } from 'node:crypto';
import { LoomError } from '#base/errors.ts';

export type Asked = {
  id: number;
  /** An operation of the table, or something that the storage itself does. */
  t: 'call' | 'admin';
  name: string;
  args: unknown;
  key: string;
  /** It may change the drawer. */
  writes: boolean;
  /** The number of writes when it was first sent; undefined before that. */
  since: number | undefined;
  settle: (error: unknown, value?: unknown) => void;
};

export class Requests {
  readonly #open = new Map<number, Asked>();
  #last = 0;

  get size(): number {
    return this.#open.size;
  }
  get(id: number): Asked | undefined {
    return this.#open.get(id);
  }
  all(): Asked[] {
    return [...this.#open.values()];
  }

  add(
    what: Pick<Asked, 't' | 'name' | 'args' | 'writes'>,
    { key = randomBytes(16).toString('hex'), deadline }: { key?: string | undefined; deadline: number },
    state: () => string,
  ): { asked: Asked; answer: Promise<unknown> } {
    const id = ++this.#last;
    let resolve!: (value: unknown) => void;
    let reject!: (error: unknown) => void;
    const answer = new Promise<unknown>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    const settle = (error: unknown, value?: unknown): void => {
      if (!this.#open.delete(id)) return;
      clearTimeout(timer);
      if (error === undefined) resolve(value);
      else reject(error);
    };
    const asked: Asked = { ...what, id, key, since: undefined, settle };
    const timer = setTimeout(() => settle(late(asked, deadline, state())), Math.min(deadline, 2 ** 31 - 1));
    this.#open.set(id, asked);
    return { asked, answer };
  }

  rejectAll(error: unknown): void {
    for (const { settle } of this.all()) settle(error);
  }
}

const late = ({ name, writes, since }: Asked, deadline: number, state: string): LoomError => {
  const maybeApplied = writes && since !== undefined;
  const words = maybeApplied
    ? 'It was sent and may still be applied: look before writing it again, or send it again under the same key.'
    : 'Nothing was changed. Call again.';
  return new LoomError('DEADLINE', `${name}: no answer within ${deadline} ms (${state}). ${words}`, { maybeApplied });
};
