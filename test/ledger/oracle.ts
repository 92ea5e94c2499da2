import type { LedgerEntry } from '#ledger/entries.ts';
import type { MovedEntry, Report } from '#ledger/types.ts';

/** The terms of a bill, as whole numbers. */
export type Terms = {
  calls: number;
  unmeasured: number;
  call: number;
  through: number;
  answer: number;
  returned: number;
  moved: number;
  excess: number;
  turns: number;
  listed: number;
};

const none: Terms = {
  calls: 0,
  unmeasured: 0,
  call: 0,
  through: 0,
  answer: 0,
  returned: 0,
  moved: 0,
  excess: 0,
  turns: 0,
  listed: 0,
};

export const termsOf = (report: Report): Terms => ({
  calls: report.calls,
  unmeasured: report.unmeasured,
  call: report.call.tokens,
  through: report.through.tokens,
  answer: report.answer.tokens,
  returned: report.returned.tokens,
  moved: report.moved.tokens,
  excess: report.excess.tokens,
  turns: report.turns.count,
  listed: report.listed?.tokens ?? 0,
});

export const plus = (a: Terms, b: Partial<Terms>): Terms =>
  Object.fromEntries(Object.entries(a).map(([key, value]) => [key, value + (b[key as keyof Terms] ?? 0)])) as Terms;

type Scope = 'session' | 'conversation';
type Seen = { session: string; conversation: string; client: string };

/** A ledger by hand: what a report must say, worked out from what was entered in the plainest way. */
export class Oracle {
  readonly #identities = new Set<string>();
  readonly #turns = new Set<string>();
  readonly #listings = new Map<string, number>();
  readonly #unpriced = new Map<string, Seen[]>();
  readonly #terms = new Map<string, Terms>();

  terms(kind: Scope | 'life', name = ''): Terms {
    return this.#terms.get(`${kind} ${name}`) ?? none;
  }

  enter(entry: LedgerEntry): void {
    if (!this.#first(entry.kind === 'call' ? `${entry.identity} call` : entry.identity)) return;
    if (entry.kind === 'listing') this.#list(entry, entry.listing.tokens);
    if (entry.kind !== 'call') return;
    const { call, answer } = entry;
    this.#add(entry, {
      calls: 1,
      call: call.tokens,
      through: Math.min(call.part, call.tokens),
      answer: answer.tokens,
      returned: Math.min(answer.part, answer.tokens),
    });
    this.#turn(entry, entry.turn ?? '');
  }

  move(entry: MovedEntry): void {
    const { of, session, tokens, excess } = entry;
    if (this.#first('document' in of ? of.document : `${session} In ${of.execution}`))
      this.#add(entry, { moved: tokens, excess });
  }

  lose(entry: LedgerEntry): void {
    this.#add(entry, { unmeasured: 1 });
  }

  #first(identity: string): boolean {
    const before = this.#identities.size;
    return this.#identities.add(identity).size > before;
  }

  #list(entry: Seen, tokens: number): void {
    const key = `${entry.session} ${entry.client}`;
    this.#listings.set(key, tokens);
    for (const turn of this.#unpriced.get(key) ?? []) this.#add(turn, { listed: tokens });
    this.#unpriced.delete(key);
  }

  #turn(entry: Seen, turn: string): void {
    const { session, conversation, client } = entry;
    const before = this.#turns.size;
    if (this.#turns.add(JSON.stringify([session, conversation, client, turn])).size === before) return;
    const key = `${session} ${client}`;
    const price = this.#listings.get(key);
    this.#add(entry, { turns: 1, listed: price ?? 0 });
    if (price === undefined) this.#unpriced.set(key, [...(this.#unpriced.get(key) ?? []), entry]);
  }

  #add({ session, conversation }: Seen, more: Partial<Terms>): void {
    for (const scope of [`session ${session}`, `conversation ${conversation}`, 'life '])
      this.#terms.set(scope, plus(this.#terms.get(scope) ?? none, more));
  }
}
