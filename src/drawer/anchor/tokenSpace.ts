// How much an anchor may still hold, and what is taken into it.
import type { Count } from './budgets.ts';

/** What is left, in tokens and in UTF-16 units. */
export type TokenSpace = { tokens: number; units: number };

/** A share of `space`, taken out of it; what is left of it goes back by `giveBack`. */
export const takeShare = (space: TokenSpace, share: number, mostTokens: number): TokenSpace => {
  const tokens = Math.max(0, Math.floor(Math.min(mostTokens, space.tokens * share)));
  const units = Math.max(0, Math.floor(space.units * share));
  space.tokens -= tokens;
  space.units -= units;
  return { tokens, units };
};
export const giveBack = (space: TokenSpace, rest: TokenSpace): void => {
  space.tokens += rest.tokens;
  space.units += rest.units;
};

/** Takes from `items`, most important first, what `space` has place for. */
export function* takeInto<T>(
  items: Iterable<T>,
  textOf: (item: T) => string,
  count: Count,
  space: TokenSpace,
): Generator<void, Set<T>> {
  const taken = new Set<T>();
  for (const item of items) {
    const text = `${textOf(item)}\n`;
    const { tokens } = yield* count(text);
    yield;
    if (tokens > space.tokens || text.length > space.units) {
      // A long line must not keep the short ones behind it out; but the end is near.
      if (space.tokens < 12) break;
      continue;
    }
    space.tokens -= tokens;
    space.units -= text.length;
    taken.add(item);
  }
  return taken;
}
