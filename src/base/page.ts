// A long list, a piece at a time. Pages of views take these types too, so nothing here needs Node.

/** A stretch of a list: `offset` from 0, `limit` rows at most. */
export type Stretch = { offset: number; limit: number };

export type Page<R> = {
  rows: R[];
  /** Rows of the whole list. */
  total: number;
};
