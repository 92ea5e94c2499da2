import { mega, number, percent } from './format.ts';

const plural = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;

/** Every word that a person reads here, so that a translation has one place to stand in. */
export const words = {
  loading: 'Opening the drawer…',
  failed: 'Loom could not open the drawer.',
  retry: 'Try Again',
  showLog: 'Show Log',

  ledger: 'Ledger',
  scopes: 'What the ledger covers',
  session: 'This session',
  life: 'All time',
  netSaved: 'tokens kept out of prompts, all costs paid',
  netLost: 'tokens: Loom cost more than it kept out',
  netEven: 'tokens: Loom cost what it kept out',
  netEstimated: '(estimated)',
  noCalls: 'Nothing to report: no agent has called Loom yet.',
  noCallsPrice: (tokens: number) => `Being listed costs ${plural(tokens, 'token')} a turn.`,
  noCallsHint: 'Ask an agent to read a large log or file: what Loom keeps in the drawer stays out of its prompt.',

  keptOut: 'Kept out',
  paid: 'Paid',
  keptBar: (tokens: number) => `Kept out: ${plural(tokens, 'token')}`,
  paidBar: (listed: number, called: number, answered: number) =>
    `Paid: being listed ${number(listed)}, calls ${number(called)}, answers ${number(answered)} tokens`,
  listing: 'Being listed',
  calls: 'Calls',
  answers: 'Answers',
  listingNote: (one: number, turns: number, counted: boolean) =>
    counted ? `${number(one)} × ${plural(turns, 'turn')}` : `${number(one)} × ${plural(turns, 'turn')} assumed`,
  notMeasured: 'not measured',
  listingUnknown: 'not in the net',
  throughNote: (tokens: number) => `${number(tokens)} of it content to store`,
  returnedNote: (tokens: number) => `${number(tokens)} of it stored content fetched again`,
  estimated: 'estimated',
  gain: 'Gain',
  gainNone: 'none: nothing was moved',
  gainMeter: (gain: number, line: number) => `Gain ${percent(gain)} of what was kept out; the line is ${percent(line)}`,
  aboveLine: (line: number) => `above ${percent(line)}`,
  belowLine: (line: number) => `below ${percent(line)}`,
  gainNote: (line: number) =>
    `The share of what was kept out that is left after all costs. Worth it from ${percent(line)}.`,
  breakEven: 'Break-even',
  breakEvenTurns: (turns: number) => plural(turns, 'turn'),
  breakEvenNote: 'By then, being listed has eaten what was kept out.',
  breakEvenNone: 'none',
  breakEvenNoneNote: 'Calls and answers alone cost what was kept out.',
  excess: (tokens: number) =>
    `${number(tokens)} more tokens were stored than the client would have read. They do not count.`,
  unmeasured: (calls: number) => `${plural(calls, 'call')} could not be measured.`,
  counter: (name: string, calls: number) => `${plural(calls, 'call')}. Tokens as ${name} counts them.`,

  tools: 'Tools by cost',
  tool: 'Tool',
  kept: 'Kept',

  drawer: 'Drawer',
  size: 'Size',
  used: (usedBytes: number, maxBytes: number) =>
    maxBytes > 0 ? `${mega(usedBytes)} of ${mega(maxBytes)} MB` : `${mega(usedBytes)} MB, for reading only`,
  latest: 'Latest documents',
  document: (tokens: number, estimated: boolean, anchor: number) =>
    `${estimated ? 'about ' : ''}${plural(tokens, 'token')} → anchor of ${number(anchor)}`,
  empty: 'The drawer is empty.',
  emptyHint: 'What an agent or you put into it is kept byte for byte and can be searched.',
  storeFile: 'Store Active File',
  search: 'Search Drawer…',
} as const;
