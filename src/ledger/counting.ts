// From records to entries: each text counted.
import { inSlices } from '#base/slices.ts';
import type { CallEntry, ListingEntry } from './entries.ts';
import { accountOf } from './scopes.ts';
import type { CallRecord, Counted, Counter, ListingRecord } from './types.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';

/** Records as entries, their texts counted by `counter`. */
export const entriesBy = (
  counter: Counter,
): {
  callEntry: (of: CallRecord, identity: string, at: number) => Promise<CallEntry>;
  listingEntry: (of: ListingRecord, identity: string, at: number) => Promise<ListingEntry>;
} => {
  const counted = async (text: string): Promise<Counted> => ({
    ...(await inSlices(countTokens(text, counter))),
    bytes: Buffer.byteLength(text),
  });
  const countedTogether = async (texts: readonly string[]): Promise<Counted> => {
    const total = { tokens: 0, bytes: 0, estimated: false };
    for (const text of texts) {
      const { tokens, bytes, estimated } = await counted(text);
      total.tokens += tokens;
      total.bytes += bytes;
      total.estimated ||= estimated;
    }
    return total;
  };
  const countedWith = async (whole: readonly string[], part: string | undefined): Promise<CallEntry['call']> => {
    const total = await countedTogether(whole);
    const { tokens, estimated } = await counted(part ?? '');
    return { ...total, part: tokens, estimated: total.estimated || estimated };
  };
  return {
    callEntry: async (of, identity, at) => ({
      kind: 'call',
      ...accountOf(of),
      identity,
      at,
      counter,
      turn: of.turn,
      tool: of.tool,
      call: await countedWith([of.call], of.through),
      answer: await countedWith(of.answer, of.returned),
      latency: Math.round(of.latencyMs),
    }),
    listingEntry: async (of, identity, at) => ({
      kind: 'listing',
      ...accountOf(of),
      identity,
      at,
      counter,
      listing: await countedTogether(of.texts),
    }),
  };
};
