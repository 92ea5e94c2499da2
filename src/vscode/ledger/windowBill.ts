// The bill of this window's conversations.
import type { Report } from '#ledger/types.ts';

/** What the conversations of a window come to together, in tokens. */
export type WindowBill = {
  calls: number;
  turns: number;
  moved: number;
  listed: number;
  call: number;
  answer: number;
  net: number;
  /** Share of what was moved; undefined where nothing was. */
  gain: number | undefined;
};

/** Sums bills of conversations; undefined where none of them called anything. */
export const windowBill = (reports: readonly Report[]): WindowBill | undefined => {
  const billed = reports.filter(({ net }) => net !== undefined);
  if (billed.length === 0) return undefined;
  const sum = (of: (report: Report) => number): number => billed.reduce((total, report) => total + of(report), 0);
  const moved = sum((report) => report.moved.tokens);
  const net = sum((report) => report.net?.tokens ?? 0);
  return {
    calls: sum((report) => report.calls),
    turns: sum((report) => report.turns.count),
    moved,
    listed: sum((report) => report.listed?.tokens ?? 0),
    call: sum((report) => report.call.tokens),
    answer: sum((report) => report.answer.tokens),
    net,
    gain: moved > 0 ? net / moved : undefined,
  };
};

/** `−1,234` with the sign that a person reads as one. */
export const signed = (n: number, text: string): string => `${n < 0 ? '−' : n > 0 ? '+' : ''}${text}`;
