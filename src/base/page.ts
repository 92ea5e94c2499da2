// A long list, a piece at a time. Pages of views take these types too, so nothing here needs Node.

/** Rows of a list that are asked for: `offset` from 0, `limit` rows at most. */
export type RowRange = { offset: number; limit: number };

export type Page<R> = {
  rows: R[];
  /** Rows of the whole list. */
  total: number;
};
