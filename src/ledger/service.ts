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
export type ListingRecord = { session: string; conversation: string; client: string; text: string };

export type ReportArgs = { session: string } | { conversation: string } | { life: true };

/** The bill of a conversation, a session, or for life. */
export type Report = {
  /** The tokenizer, `o200k_base` say. */
  counter: string;
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
  tools: { tool: string; calls: number; call: number; answer: number; moved: number }[];
};

/** What the ledger offers to the programs around it. */
export type LedgerService = {
  /** Counts and keeps; the rows are written within a second, several calls together. Never fails a call. */
  recordCall: (record: CallRecord) => Promise<void>;
  recordListing: (record: ListingRecord) => Promise<void>;
  report: (args: ReportArgs) => Promise<Report>;
  /** Tokens of `text`, exactly, or extrapolated where it is too large to count. */
  count: (args: { text: string }) => Promise<{ tokens: number; estimated: boolean; counter: string }>;
};
