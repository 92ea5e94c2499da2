// What a store did, in figures and in words.
import type { Stored } from '#drawer/types.ts';

/** What a store did to the prompt, and what it says of the content. */
export type StoreReport = {
  original_tokens: number;
  /** `original_tokens` was extrapolated. */
  estimated: boolean;
  anchor_tokens: number;
  /** Share of the different invariants visible in the anchor. A low one is no loss: the others are retrievable. */
  coverage: number | undefined;
  /** Share of the invariants that the stored chunks give back. Not whether a search for them succeeds at once. */
  retrievable: number;
  /** Proven from the stored pieces before any of them became visible. */
  lossless: boolean;
  /** Share of the tokens kept out of the prompt by the anchor, in percent. Later searches and the listing are not in it. */
  saved_pct: number;
};

/** A document that could not be proven whole is not stored, so what was stored is retrievable and lossless. */
export const reportOf = ({ tokens, tokensEstimated, anchorTokens, coverage }: Stored): StoreReport => ({
  original_tokens: tokens,
  estimated: tokensEstimated,
  anchor_tokens: anchorTokens,
  coverage,
  retrievable: 1,
  lossless: true,
  saved_pct: tokens === 0 ? 0 : Math.round((1 - anchorTokens / tokens) * 10_000) / 100,
});
