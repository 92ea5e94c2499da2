// Content in an answer: its very bytes, between two lines that are not in it.

/** Longer than any row of backticks in the text: nothing in it can end it. */
const fenceFor = (text: string): string => {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length));
  return '`'.repeat(longest + 1);
};

/** One line end of ours before the last fence, whether or not the text ends with one. */
export const fenced = (header: string, text: string): string => {
  const fence = fenceFor(text);
  return `${header}\n${fence}\n${text}\n${fence}`;
};

/** A page of `ctx_get` in its parts; `base64` is not decoded. */
export const unfenced = (page: string): { header: string; text: string; cursor: string | undefined } => {
  const [header = '', fence = ''] = page.split('\n', 2);
  const text = page.slice(header.length + fence.length + 2, -fence.length - 1);
  return { header, text, cursor: /next cursor: (\S+)$/.exec(header)?.[1] };
};
