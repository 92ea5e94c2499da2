// A report in words.
import { counted, grouped } from '#base/text.ts';
import { gainLine } from './report.ts';
import type { Figure, Report } from './types.ts';

/** `report` in lines that a model or a person reads at once: every term, its label, and what could not be measured. */
export const reportText = (report: Report): string => {
  const lines = report.net === undefined ? nothingToReport(report) : fullBill(report, report.net);
  if (report.cacheHits.count > 0) lines.push(cacheHits(report));
  if (report.unmeasured > 0)
    lines.push(`Not measured: ${counted(report.unmeasured, 'call')} whose figures could not be kept.`);
  return lines.join('\n');
};

const cacheHits = ({ cacheHits: { count, latency } }: Report): string =>
  `Answered from the cache: ${counted(count, 'call')}, ${(latency / 1_000).toFixed(1)} s saved, no tokens`;

const nothingToReport = ({ listing }: Report): string[] => [
  'Nothing to report: no call was made.',
  listing
    ? `Being listed costs ${grouped(listing.tokens)} tokens a turn (${listing.label}).`
    : 'Listing: not measured.',
];

const fullBill = (report: Report, net: Figure): string[] => [
  `${counted(report.calls, 'call')}; tokens by ${report.counters.join(' and ')}${mixed(report)}`,
  `Kept out of the prompt: ${labelled(report.moved)}${excess(report)}`,
  `Paid: ${grouped(paid(report))}`,
  `  listing: ${listing(report)}`,
  `  calls: ${labelled(report.call)}, of which content to store ${grouped(report.through.tokens)}`,
  `  answers: ${labelled(report.answer)}, of which stored content fetched again ${grouped(report.returned.tokens)}`,
  `Net: ${labelled(net)}${net.tokens < 0 ? ': Loom cost more than it kept out' : ''}`,
  `Gain: ${gain(report)}`,
  `Break-even: ${breakEven(report)}`,
  ...report.tools.map(
    ({ tool, calls, call, answer, moved }) =>
      `  ${tool}: ${counted(calls, 'call')}, paid ${grouped(call + answer)}, kept out ${grouped(moved)}`,
  ),
];

const mixed = ({ counters }: Report): string =>
  counters.length > 1 ? ', which count differently: every sum over both is estimated' : '';

const labelled = ({ tokens, label }: Figure): string => `${grouped(tokens)} (${label})`;

const excess = ({ excess: { tokens } }: Report): string =>
  tokens > 0 ? `; ${grouped(tokens)} more are not counted, as the client would not have read so far` : '';

const paid = ({ call, answer, listed }: Report): number => call.tokens + answer.tokens + (listed?.tokens ?? 0);

const listing = ({ listing: one, listed, turns }: Report): string => {
  if (!one || !listed) return 'not measured, and not in the net';
  const times = turns.counted
    ? `${counted(turns.count, 'turn')}, turns without a call unseen`
    : `one turn a conversation (${counted(turns.count, 'turn')}) assumed, as the client does not tell them`;
  return `${labelled(listed)}, ${grouped(one.tokens)} a turn (${one.label}), ${times}`;
};

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const gain = (report: Report): string =>
  report.gain === undefined
    ? 'none to state, as nothing was moved'
    : `${percent(report.gain)} of what was moved (line: ${percent(gainLine)})`;

const breakEven = ({ breakEven: turns, listing: one }: Report): string => {
  if (!one) return 'not measured';
  if (turns === undefined) return 'none, as calls and answers alone cost what was kept out';
  return `the listing has eaten what was kept out after ${counted(turns, 'turn')}`;
};
