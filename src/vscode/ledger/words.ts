// What the ledger's parts of the views say.
import type { EntryKind } from '#ledger/types.ts';
import type { L10n, Plural } from '#vscode/views/words.ts';

/** The bill. */
const bill = (l10n: L10n) => ({
  ledger: l10n.t('Ledger'),
  scopes: l10n.t('What the ledger covers'),
  session: l10n.t('This session'),
  life: l10n.t('All time'),
  netSaved: l10n.t('tokens kept out of prompts, all costs paid'),
  netLost: l10n.t('tokens: Loom cost more than it kept out'),
  netEven: l10n.t('tokens: Loom cost what it kept out'),
  netEstimated: l10n.t('(estimated)'),
  net: l10n.t('Net'),
  noCalls: l10n.t('Nothing to report: no agent has called Loom yet.'),
  noCallsPrice: [
    l10n.t('Being listed costs {0} token a turn.'),
    l10n.t('Being listed costs {0} tokens a turn.'),
  ] as Plural,
  noCallsHint: l10n.t(
    'Ask an agent to read a large log or file: what Loom keeps in the drawer stays out of its prompt.',
  ),
  keptOut: l10n.t('Kept out'),
  paid: l10n.t('Paid'),
  keptBar: l10n.t('Kept out: {0}'),
  paidBar: l10n.t('Paid: being listed {0}, calls {1}, answers {2} tokens'),
  listing: l10n.t('Being listed'),
  calls: l10n.t('Calls'),
  answers: l10n.t('Answers'),
  listingNote: l10n.t('{0} × {1}'),
  listingAssumed: l10n.t('{0} × {1} assumed'),
  notMeasured: l10n.t('not measured'),
  listingUnknown: l10n.t('not in the net'),
  throughNote: l10n.t('{0} of it content to store'),
  returnedNote: l10n.t('{0} of it stored content fetched again'),
  estimated: l10n.t('estimated'),
  measured: l10n.t('measured'),
  computed: l10n.t('computed'),
  gain: l10n.t('Gain'),
  gainNone: l10n.t('none: nothing was moved'),
  gainMeter: l10n.t('Gain {0} of what was kept out; the line is {1}'),
  aboveLine: l10n.t('above {0}'),
  belowLine: l10n.t('below {0}'),
  gainNote: l10n.t('The share of what was kept out that is left after all costs. Worth it from {0}.'),
  breakEven: l10n.t('Break-even'),
  breakEvenNote: l10n.t('By then, being listed has eaten what was kept out.'),
  breakEvenNone: l10n.t('none'),
  breakEvenNoneNote: l10n.t('Calls and answers alone cost what was kept out.'),
  excess: l10n.t('{0} more tokens were stored than the client would have read. They do not count.'),
  unmeasured: [l10n.t('{0} call could not be measured.'), l10n.t('{0} calls could not be measured.')] as Plural,
  counter: l10n.t('{0}. Tokens as {1} counts them.'),
  tools: l10n.t('Tools by cost'),
  tool: l10n.t('Tool'),
  kept: l10n.t('Kept'),
  openLedger: l10n.t('Open Ledger'),
  turns: [l10n.t('{0} turn'), l10n.t('{0} turns')] as Plural,
  callCount: [l10n.t('{0} call'), l10n.t('{0} calls')] as Plural,
});

/** Its chart. */
const overTime = (l10n: L10n) => ({
  overTime: l10n.t('Over time'),
  spans: l10n.t('How far back'),
  span: { hour: l10n.t('Hour'), day: l10n.t('Day'), week: l10n.t('Week'), all: l10n.t('All') },
  spanNothing: l10n.t('Nothing in this time.'),
  now: l10n.t('now'),
  chart: l10n.t('{0} kept out, {1} paid, since {2}'),
  from: l10n.t('From'),
});

/** The entries that it adds up. */
const entries = (l10n: L10n) => ({
  count: [l10n.t('{0} entry'), l10n.t('{0} entries')] as Plural,
  scope: l10n.t('Scope'),
  kind: l10n.t('Entry'),
  allKinds: l10n.t('All entries'),
  allTools: l10n.t('All tools'),
  time: l10n.t('Time'),
  export: l10n.t('Export…'),
  none: l10n.t('No entry passes the filters.'),
  label: l10n.t('Counted'),
  excess: l10n.t('Beyond what counts'),
  part: l10n.t('Of it content'),
  bytes: l10n.t('Bytes'),
  latency: l10n.t('Took'),
  conversation: l10n.t('Conversation'),
  noneSelected: l10n.t('Select an entry to see how its figure came about.'),
  kinds: {
    listing: l10n.t('listing'),
    call: l10n.t('call'),
    answer: l10n.t('answer'),
    moved: l10n.t('kept out'),
    cache_hit: l10n.t('cache hit'),
  } satisfies Record<EntryKind, string>,
  explained: {
    listing: l10n.t('What the client passes on to its model because Loom is there. Paid on each turn.'),
    call: l10n.t('What the model wrote to call the tool. Paid.'),
    answer: l10n.t('The text that the model was answered. Paid.'),
    moved: l10n.t('What would have entered the prompt otherwise, up to what this client would have put there.'),
    cache_hit: l10n.t('Answered from the cache: time was saved, no tokens.'),
  } satisfies Record<EntryKind, string>,
  documents: l10n.t('Documents'),
});

export const ledgerWords = (l10n: L10n) => ({ ...bill(l10n), ...overTime(l10n), entries: entries(l10n) });

export type LedgerWords = ReturnType<typeof ledgerWords>;
