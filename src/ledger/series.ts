// What was paid and gained over time.
import type { Tx } from '#base/tx.ts';
import { scopeOf } from './scopes.ts';
import type { Bucket, Series, SeriesArgs } from './types.ts';
import { keptSteps, minuteMs, type Moment } from './totals.ts';

/** How each span is cut, in minutes. `all` takes the first of its steps that needs no more buckets than this. */
const cuts = { hour: { step: 1, count: 60 }, day: { step: 15, count: 96 }, week: { step: 120, count: 84 } } as const;
const mostBuckets = 100;
const stepsOfAll = [1, 5, 15, 60, 360, 1_440, 10_080, 40_320] as const;
const longestStep = 40_320;

/** In minutes since 1970. */
type Range = { from: number; step: number; count: number };

const floor = (minute: number, step: number): number => Math.floor(minute / step) * step;

/** Everything from the scope's first entry to its last, or to now. */
const wholeRange = (tx: Tx, scope: number, now: number): Range => {
  const found = tx.get<{ first: number | null; last: number | null }>(
    'select min(place) as first, max(place) as last from ledger_time where scope = ? and step = 1',
    [scope],
  );
  if (!found || found.first === null || found.last === null) return { from: now, step: 1, count: 0 };
  const [first, last] = [found.first, Math.max(found.last, now)];
  const reach = (step: number): number => (floor(last, step) - floor(first, step)) / step + 1;
  let step: number = stepsOfAll.find((candidate) => reach(candidate) <= mostBuckets) ?? longestStep;
  while (reach(step) > mostBuckets) step *= 2;
  return { from: floor(first, step), step, count: reach(step) };
};

const rangeOf = (tx: Tx, scope: number, { span, now }: SeriesArgs): Range => {
  const minute = floor(now / minuteMs, 1);
  if (span === 'all') return wholeRange(tx, scope, minute);
  const { step, count } = cuts[span];
  return { from: floor(minute, step) - (count - 1) * step, step, count };
};

/** A scope's tokens over time; what is older or newer than the span is left out. */
export const series = (tx: Tx, args: SeriesArgs): Series => {
  const scope = scopeOf(tx, args) ?? -1;
  const { from, step, count } = rangeOf(tx, scope, args);
  const kept = keptSteps.findLast((candidate) => step % candidate === 0) ?? 1;
  const found = tx.all<Moment & { n: number }>(
    `select (place * step - ?) / ? as n, sum(moved) as moved, sum(listed) as listed, sum(call) as call,
        sum(answer) as answer
      from ledger_time where scope = ? and step = ? and place >= ? and place < ? group by n`,
    [from, step, scope, kept, from / kept, (from + count * step) / kept],
  );
  const byPlace = new Map(found.map((row) => [row.n, row]));
  const bucket = (_: unknown, n: number): Bucket => {
    const { moved = 0, listed = 0, call = 0, answer = 0 } = byPlace.get(n) ?? {};
    return { at: (from + n * step) * minuteMs, moved, listed, call, answer, net: moved - listed - call - answer };
  };
  return { from: from * minuteMs, step: step * minuteMs, buckets: Array.from({ length: count }, bucket) };
};
