// The invariants of a document as an anchor lists them.
import { counted, grouped } from '#base/text.ts';
import { invariantKinds, type InvariantKind } from '#drawer/contents.ts';
import type { InvariantTable } from '#drawer/invariants/table.ts';
import { spreadOrder } from '#drawer/outline/spread.ts';
import type { Count } from './budgets.ts';
import type { TokenSpace } from './tokenSpace.ts';

/** Values of one kind that may be listed, the best first. */
type Candidates = { kind: InvariantKind; total: number; values: number[] };

/** Values of one kind that are looked at: no anchor has space for more. */
const mostValues = 6000;
/** A longer value is named by nothing but itself; it is left to a search. */
const longestValue = 160;
/** Where a line of values is broken. */
const lineUnits = 600;

/** Values by how rare they are, those equally rare spread over the document. */
const byRarity = (table: InvariantTable, own: readonly number[]): number[] => {
  const order: number[] = [];
  const byCount = Map.groupBy(own, (index) => table.countAt(index));
  for (const count of Array.from(byCount.keys()).sort((a, b) => a - b)) {
    const equals = byCount.get(count) ?? [];
    for (const at of spreadOrder(equals.length, mostValues - order.length)) order.push(equals[at] ?? 0);
    if (order.length >= mostValues) break;
  }
  return order;
};

/** Constraints are sentences: they stand among the lines. */
const listed = invariantKinds.filter((kind) => kind !== 'constraint');

const candidatesOf = (table: InvariantTable, visible: ReadonlySet<number>): Candidates[] => {
  const own = new Map<InvariantKind, number[]>(listed.map((kind) => [kind, []]));
  for (let index = 0; index < table.size; index++) own.get(table.kindAt(index))?.push(index);
  return listed
    .map((kind) => {
      const all = own.get(kind) ?? [];
      return {
        kind,
        total: all.length,
        values: byRarity(
          table,
          all.filter((index) => !visible.has(index)),
        ),
      };
    })
    .filter(({ total }) => total > 0);
};

/** One of each kind in turn, so that many numbers do not keep the few versions out. */
const inTurn = (candidates: readonly Candidates[]): [InvariantKind, number][] => {
  const longest = Math.max(0, ...candidates.map(({ values }) => values.length));
  const turns: [InvariantKind, number][] = [];
  for (let turn = 0; turn < longest; turn++) {
    for (const { kind, values } of candidates) {
      const index = values[turn];
      if (index !== undefined) turns.push([kind, index]);
    }
  }
  return turns;
};

/** A port is known by its colon, wherever it stands. */
const written = (kind: InvariantKind, text: string): string => (kind === 'port' ? `:${text}` : text);

const broken = (words: readonly string[]): string => {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + word.length >= lineUnits) {
      lines.push(line);
      line = '';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
};

export type InvariantList = {
  text: string;
  /** Values in it. */
  shown: number;
};

const write = (
  table: InvariantTable,
  candidates: readonly Candidates[],
  seen: ReadonlyMap<InvariantKind, number>,
  chosen: readonly [InvariantKind, number][],
): InvariantList => {
  const byKind = Map.groupBy(chosen, ([kind]) => kind);
  const rows = candidates.map(({ kind, total }) => {
    // In the order of the document: it reads better, and costs nothing.
    const indexes = (byKind.get(kind) ?? []).map(([, index]) => index).sort((a, b) => a - b);
    const left = total - indexes.length - (seen.get(kind) ?? 0);
    const more = left > 0 ? ` (${grouped(left)} not shown)` : '';
    if (indexes.length === 0) return `${kind} ${grouped(total)}${more}`;
    return `${kind} ${grouped(total)}${more}:${broken(indexes.map((index) => written(kind, table.textAt(index))))}`;
  });
  return { text: rows.join('\n'), shown: chosen.length };
};

/**
 * The invariants by kind: how many different ones, and as many values that are not `visible` above as
 * there is space for, rarest first. How many is found by halving: a value's tokens depend on its neighbours.
 */
export function* listInvariants(
  table: InvariantTable,
  visible: ReadonlySet<number>,
  space: TokenSpace,
  count: Count,
): Generator<void, InvariantList> {
  const candidates = candidatesOf(table, visible);
  if (candidates.length === 0) return { text: '', shown: 0 };
  yield;
  const seen = new Map<InvariantKind, number>();
  for (const index of visible) seen.set(table.kindAt(index), (seen.get(table.kindAt(index)) ?? 0) + 1);
  const turns = inTurn(candidates).filter(([, index]) => table.textAt(index).length <= longestValue);
  const title = `-- invariants: ${counted(table.size, 'different value')}, by kind; rarest first, those shown above left out`;
  const make = (values: number): InvariantList => {
    const { text, shown } = write(table, candidates, seen, turns.slice(0, values));
    return { text: `${title}\n${text}`, shown };
  };
  const hasSpace = function* (made: InvariantList): Generator<void, boolean> {
    if (made.text.length > space.units) return false;
    return (yield* count(`${made.text}\n`)).tokens <= space.tokens;
  };
  let best: InvariantList = { text: '', shown: 0 };
  let highest = Math.min(turns.length, space.tokens);
  for (let lowest = 0; lowest <= highest;) {
    const middle = (lowest + highest) >> 1;
    const made = make(middle);
    yield;
    if (yield* hasSpace(made)) {
      best = made;
      lowest = middle + 1;
    } else highest = middle - 1;
  }
  return best;
}
