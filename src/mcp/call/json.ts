// JSON that a call carries: fields, texts that are JSON, and how deep either may nest.
export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Levels that arguments may nest: no tool takes more than a few, and what walks them is not to run out of stack. */
export const mostLevels = 64;

export const isTooDeep = (value: unknown): boolean => {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostLevels) return true;
    const next: unknown[] = [];
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        // Only what can nest further is kept: a long list of numbers costs a look at each.
        for (const inner of Object.values(one)) if (typeof inner === 'object' && inner !== null) next.push(inner);
    level = next;
  }
  return false;
};

/** What `text` is as JSON; undefined where it is none, or nests too deep. */
export const asJson = (text: string): unknown => {
  try {
    const value = JSON.parse(text) as unknown;
    return isTooDeep(value) ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
