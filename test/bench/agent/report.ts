import type { Report } from '#ledger/types.ts';
import { grouped } from '#base/text.ts';
import type { Conversation } from './conversation.ts';
import type { Task } from './tasks.ts';

/** One task, with what both arms came to and what Loom's own ledger says about its conversation. */
export type Pair = {
  task: Task;
  size: number;
  without: Conversation;
  withLoom: Conversation;
  ledger: Report | undefined;
};

/** Fewer tokens for the same success, from which a tool of this kind is worth its place. */
const line = 0.35;

const total = ({ input, output }: Conversation): number => input + output;
const saved = ({ without, withLoom }: Pair): number => total(without) - total(withLoom);
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const signed = (n: number): string => (n > 0 ? `+${grouped(n)}` : grouped(n));
const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
const median = (all: readonly number[]): number => {
  const sorted = all.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.floor(half)] ?? NaN) + (sorted[Math.ceil(half) - 1] ?? NaN)) / 2;
};

const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
const foundIn = ({ reached }: Conversation): string => `${reached.filter(Boolean).length}/${reached.length}`;

/** Rows of Markdown under their head. */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string => {
  const cell = (value: string | number): string => (typeof value === 'number' ? grouped(Math.round(value)) : value);
  const rule = head.map((_, n) => (typeof rows[0]?.[n] === 'number' ? '---:' : '---'));
  return [head, rule, ...rows.map((row) => row.map(cell))].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

const armCells = (arm: Conversation): (string | number)[] => [foundIn(arm), arm.calls, arm.input, arm.output];

const ledgerCells = (ledger: Report | undefined): string[] =>
  ledger?.net === undefined ? ['–', '–'] : [grouped(ledger.moved.tokens), signed(ledger.net.tokens)];

export const pairTable = (pairs: readonly Pair[]): string =>
  table(
    ['task', 'kind', 'file', 'without: found', 'calls', 'in', 'out', 'Loom: found', 'calls', 'in', 'out', 'saved', 'share', 'ledger: kept out', 'net'],
    pairs.map((pair) => {
      const { task, size, without, withLoom, ledger } = pair;
      const file = `${task.questions[0]?.file}, ${sizeOf(size)}`;
      const part = percent(share(saved(pair), total(without)));
      return [task.name, task.kind, file, ...armCells(without), ...armCells(withLoom), signed(saved(pair)), part, ...ledgerCells(ledger)];
    }),
  ); // prettier-ignore

const found = (arms: readonly Conversation[]): number => arms.flatMap(({ reached }) => reached).filter(Boolean).length;

const sumRow = (name: string, pairs: readonly Pair[]): (string | number)[] => {
  const [without, withLoom] = [pairs.map((pair) => pair.without), pairs.map((pair) => pair.withLoom)];
  const questions = pairs.reduce((count, { task }) => count + task.questions.length, 0);
  const [a, b] = [sum(without.map(total)), sum(withLoom.map(total))];
  const shares = pairs.map((pair) => share(saved(pair), total(pair.without)));
  return [
    name,
    pairs.length,
    `${found(without)}/${questions}`,
    `${found(withLoom)}/${questions}`,
    sum(without.map(({ requests }) => requests)),
    sum(withLoom.map(({ requests }) => requests)),
    a,
    b,
    percent(share(a - b, a)),
    percent(median(shares)),
    signed(sum(pairs.map(({ ledger }) => ledger?.net?.tokens ?? 0))),
  ];
};

export const sumTable = (pairs: readonly Pair[]): string => {
  const kinds = [...new Set(pairs.map(({ task }) => task.kind))];
  return table(
    ['kind', 'tasks', 'found without', 'found with Loom', 'requests without', 'with', 'tokens without', 'with', 'fewer', 'median task', 'ledger net'],
    [...kinds.map((kind) => sumRow(kind, pairs.filter(({ task }) => task.kind === kind))), sumRow('all', pairs)],
  );
}; // prettier-ignore

/** What Loom adds to each request before anything is asked: its tools, its instructions, whatever it contributes. */
export const listingOf = (pairs: readonly Pair[]): number =>
  median(pairs.map(({ without, withLoom }) => withLoom.standing - without.standing));

/** `a` without Loom against `b` with it, in words. */
const against = (a: number, b: number): string => {
  const fewer = share(a - b, a);
  return `${percent(Math.abs(fewer))} ${fewer < 0 ? 'more' : 'fewer'} with Loom (${grouped(a)} without, ${grouped(b)} with)`;
};

/** The verdict by the rule that critics of such tools apply, and what the sums hide. */
export const verdict = (pairs: readonly Pair[]): string => {
  const [without, withLoom] = [pairs.map((pair) => pair.without), pairs.map((pair) => pair.withLoom)];
  const [a, b] = [sum(without.map(total)), sum(withLoom.map(total))];
  const passed = found(withLoom) >= found(without) && share(a - b, a) >= line;
  const won = pairs.filter((pair) => saved(pair) > 0).length;
  const results = (arms: readonly Conversation[]): number => sum(arms.map(({ once, standing }) => once - standing));
  return [
    `${passed ? 'PASSED' : 'NOT PASSED'}: the line is the same success with at least ${percent(line)} fewer tokens.`,
    '',
    `- Success: ${found(withLoom)} questions answered with Loom, ${found(without)} without.`,
    `- Tokens of all requests: ${against(a, b)}. Fewer in ${won} of ${pairs.length} tasks.`,
    `- Each conversation counted once, as where a prompt cache makes repetition cheap: ${against(sum(without.map(({ once }) => once)), sum(withLoom.map(({ once }) => once)))}.`,
    `- The conversations alone (questions, calls, results), without tools and system prompt: ${against(results(without), results(withLoom))}.`,
  ].join('\n');
};
