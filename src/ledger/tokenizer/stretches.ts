// A regular expression over a whole text would hold the thread, and overflows V8's stack at some 5 million Chinese
// characters. So a text is cut into stretches first, at seams: places that no pre-token crosses, whatever stands around
// them, so that the stretches' tokens add up to the text's. They follow from the pattern of o200k_base: white space
// begins a pre-token or fills one; punctuation follows a letter or digit only as the apostrophe of a contraction; behind
// a line end a pre-token goes on with white space or a slash only.
const seam = /(?<=\P{White_Space})(?=[\t ])|(?<=[\p{L}\p{N}])(?=(?!')\p{P})|(?<=\n)(?=[^\p{White_Space}/])/u;

const usualUnits = 8 * 1024;
/** A stretch without a seam is cut here all the same: it is next to always a run of one kind of character. */
const mostUnits = 256 * 1024;

export type Stretches = {
  /** Where each stretch ends, in UTF-16 units; the last is the text's length. */
  ends: number[];
  /** Every cut is a seam. */
  exact: boolean;
};

/** Cuts `text` into stretches of about 8 K UTF-16 units. */
export function* stretchesOf(text: string): Generator<void, Stretches> {
  const ends: number[] = [];
  let exact = true;
  for (let start = 0; start < text.length; start = ends.at(-1)!) {
    const found = yield* nextSeam(text, start + usualUnits, start + mostUnits);
    if (found === undefined) exact = false;
    ends.push(found ?? betweenCharacters(text, start + mostUnits));
  }
  return { ends, exact };
}

function* nextSeam(text: string, from: number, to: number): Generator<void, number | undefined> {
  for (let at = from; at < to; at += usualUnits) {
    if (at >= text.length) return text.length;
    // A look-behind sees nothing before the slice: it begins a character early, where no seam can be found.
    const found = seam.exec(text.slice(at - 1, Math.min(at + usualUnits, to)));
    if (found) return at - 1 + found.index;
    yield;
  }
  return to < text.length ? undefined : text.length;
}

/** `at`, or the place before it where that would cut a surrogate pair. */
const betweenCharacters = (text: string, at: number): number => (text.codePointAt(at - 1)! > 0xffff ? at - 1 : at);

/**
 * 0 to `count` - 1 in an order of which every beginning is spread evenly: steps of the golden section around a circle.
 */
export function* evenly(count: number): Generator<number> {
  let step = Math.max(1, Math.round(count * 0.618));
  while (divisor(step, count) !== 1) step++;
  for (let i = 0, at = 0; i < count; i++, at = (at + step) % count) yield at;
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
