// What the ledger offers, and the data that it speaks of.
import type { Tx } from '#base/tx.ts';

/** The tokenizers that can count, by the names that OpenAI gives them. */
export const counters = ['o200k_base', 'cl100k_base'] as const;
export type Counter = (typeof counters)[number];
export const defaultCounter: Counter = 'o200k_base';

/** How a figure came about: counted, derived by a stated rule from counted ones, or extrapolated. */
export type Label = 'measured' | 'computed' | 'estimated';
export type Figure = { tokens: number; label: Label };

/** One call as the pipeline saw it; the ledger counts the tokens. */
export type CallRecord = {
  session: string;
  /** VS Code's conversation id, else the MCP session's: the unit of the bill. */
  conversation: string;
  /** VS Code's request id: one turn of the conversation. Undefined where the client does not tell it. */
  turn?: string | undefined;
  client: string;
  tool: string;
  /** The arguments as the model wrote them, as JSON. */
  call: string;
  /** How much of `call` was content to be stored (the text of ctx_store). */
  through?: string | undefined;
  /** Each text part of the answer. */
  answer: readonly string[];
  /** Stored content fetched again within `answer`. */
  returned?: string | undefined;
  latencyMs: number;
};

/** What a client passes on to its model each turn because Loom is there. */
export type ListingRecord = { session: string; conversation: string; client: string; texts: readonly string[] };

export type ReportArgs = { session: string } | { conversation: string } | { life: true };

/** The bill of a conversation, a session, or for life. */
export type Report = {
  /** The tokenizers that its figures were counted by. Where there are two, each sum over both is labelled estimated. */
  counters: readonly string[];
  calls: number;
  /** Calls whose figures could not be kept: they were made, and stand in no figure below. */
  unmeasured: number;
  /** Kept out of the prompt: gross, capped at what the client would have put there. */
  moved: Figure;
  /** What lies above that cap; never part of the net. */
  excess: Figure;
  /** Tokens of one listing and the instructions; undefined where no client has listed yet. */
  listing: Figure | undefined;
  /** Turns the listing was paid for. `counted` is false where the client does not tell them: then 1, and said so. */
  turns: { count: number; counted: boolean };
  /** What the listing cost in all: for each turn the listing of that time. Undefined where `listing` is. */
  listed: Figure | undefined;
  call: Figure;
  /** Part of `call` that was content to be stored. */
  through: Figure;
  answer: Figure;
  /** Part of `answer` that was stored content fetched again. */
  returned: Figure;
  /** moved - answer - call - listed; undefined where there was no call: nothing to report. */
  net: Figure | undefined;
  /** net / moved; undefined where nothing moved. */
  gain: number | undefined;
  /** Turns after which the listing has eaten moved - answer - call; undefined where that is nothing or nothing is listed. */
  breakEven: number | undefined;
  /** Relayed calls that were answered from the cache, and the milliseconds that saved. It saves no token. */
  cacheHits: { count: number; latency: number };
  tools: { tool: string; calls: number; call: number; answer: number; moved: number }[];
};

export const entryKinds = ['listing', 'call', 'answer', 'moved', 'cache_hit'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** One line of the ledger. */
export type EntryRow = {
  /** Entries are numbered in their order. */
  id: number;
  /** Milliseconds since 1970. */
  at: number;
  kind: EntryKind;
  /** Empty for a listing. */
  tool: string;
  client: string;
  session: string;
  conversation: string;
  /** What was moved: `d7`, or `In [3]` for an execution. */
  document: string | undefined;
  counter: string;
  tokens: number;
  /** Of `tokens`: content to be stored in a call, stored content fetched again in an answer. */
  part: number;
  /** Beyond what the client would have put into the prompt: moved, and never counted as kept out. */
  excess: number;
  /** UTF-8 of what was counted. */
  bytes: number;
  label: Label;
  /** Milliseconds of the call; of a cache hit those it saved. */
  latency: number | undefined;
};

/** Newest first. `before`: only entries with a lower id, so that a page does not move while entries are added. */
export type EntriesArgs = ReportArgs & {
  kind?: EntryKind | undefined;
  tool?: string | undefined;
  before?: number | undefined;
  offset: number;
  limit: number;
};
/** `total`: how many entries of that scope, kind and tool there are, whatever page this is. */
export type EntriesPage = { rows: EntryRow[]; total: number };

export const spans = ['hour', 'day', 'week', 'all'] as const;
export type Span = (typeof spans)[number];
/** `now` in milliseconds since 1970: where the last bucket lies. */
export type SeriesArgs = ReportArgs & { span: Span; now: number };
/** Tokens of one stretch of time; `at` is its start, in milliseconds since 1970. */
export type Bucket = { at: number; moved: number; listed: number; call: number; answer: number; net: number };
/** Oldest first, empty buckets included; all of `step` milliseconds. */
export type Series = { from: number; step: number; buckets: Bucket[] };

export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export type ExportArgs = ReportArgs & { format: ExportFormat; file: string };

/** What the ledger offers to the programs around it. */
export type LedgerService = {
  /** Counts and keeps; the rows are written within a second, several calls together. Never fails a call. */
  recordCall: (record: CallRecord) => Promise<void>;
  recordListing: (record: ListingRecord) => Promise<void>;
  report: (args: ReportArgs) => Promise<Report>;
  entries: (args: EntriesArgs) => Promise<EntriesPage>;
  series: (args: SeriesArgs) => Promise<Series>;
  /** Writes a scope's entries to `file`, which is replaced, oldest first; JSON has the report on top. */
  exportEntries: (args: ExportArgs) => Promise<{ entries: number; bytes: number }>;
  /** Tokens of `text`, exactly, or extrapolated where it is too large to count. */
  count: (args: { text: string }) => Promise<{ tokens: number; estimated: boolean; counter: string }>;
};

/** Whose entry it is. */
export type Account = { session: string; conversation: string; client: string };

/** A count as an entry keeps it. */
export type Counted = { tokens: number; bytes: number; estimated: boolean };

/** What something kept out of the prompt: `tokens` within what its client would have put there, `excess` beyond. */
export type MovedEntry = Account &
  Counted & {
    /** A document's id, or the number of one of the session's executions. */
    of: { document: string } | { execution: number };
    at: number;
    tool: string;
    counter: string;
    excess: number;
  };

export type TokenCount = {
  tokens: number;
  /** Extrapolated from stretches spread evenly over the text, or summed over a cut that may shift it by a token. */
  estimated: boolean;
};

export type MovedBill = {
  /** Kept out of the prompt, as far as this client would have put it there. */
  tokens: number;
  /** Beyond that: shown, never counted as kept out. */
  excess: number;
  /** A part was extrapolated, or what an unknown client reads was assumed to be what Copilot does. */
  estimated: boolean;
};

export type StoredContent = {
  /** Undefined where it is binary: no client puts that into a prompt. */
  text: string | undefined;
  source: { kind: 'text' | 'file' | 'command' | 'editor' | 'archive' };
  /** Tokens of the whole. */
  tokens: TokenCount;
  client: string;
  counter: Counter;
};

export type ExecutionOutput = {
  /** The output, or as much of it as is at hand. */
  text: string;
  /** UTF-16 units of all of it. */
  units: number;
  client: string;
  counter: Counter;
};

/** Such an entry before what it is of is stored. */
export type BilledEntry = Omit<MovedEntry, 'session' | 'of' | 'at' | 'tool'>;

/** What the ledger does within operations of other rooms. */
export type LedgerWithin = {
  /** Adds what a document or an execution kept out of the prompt, once: in the transaction that stores it. */
  recordMoved: (tx: Tx, entry: MovedEntry) => void;
};

/** What the ledger offers to the rooms in the engine. */
export type LedgerInside = {
  within: LedgerWithin;
  /** What counts tokens now. */
  counter: Counter;
  countTokens: (text: string) => Generator<void, TokenCount>;
  /** What storing some content keeps out of its client's prompt. */
  billStored: (content: Omit<StoredContent, 'counter'>) => Generator<void, MovedBill>;
  /** What a cell's output keeps out of it. */
  billOutput: (output: Omit<ExecutionOutput, 'counter'>) => Generator<void, MovedBill>;
};
