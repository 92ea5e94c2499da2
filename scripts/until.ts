import { patience } from './patience.ts';

type Nothing = undefined | null | false | 0 | '';

const pause = (): Promise<void> => new Promise((again) => setTimeout(again, 100));

/** Asks `check` again until it gives something. After `seconds` it fails and says what did not come. */
export const until = async <R>(
  what: string,
  seconds: number,
  check: () => R | Promise<R>,
): Promise<Exclude<R, Nothing>> => {
  for (const late = Date.now() + seconds * 1000; ; await pause()) {
    const found = await check();
    if (found) return found as Exclude<R, Nothing>;
    if (Date.now() > late) throw new Error(`waited ${seconds} s in vain for ${what}`);
  }
};

/**
 * Does something again, as a person would, until it does not fail. Each try is given twice the milliseconds of the one
 * before in which to see what it came to: a lost click is soon repeated, and a slow machine is not interrupted for ever.
 */
export const again = async <R>(what: string, act: (ms: number) => Promise<R>): Promise<R> => {
  const late = Date.now() + patience * 1000;
  for (let ms = 2_000; ; ms = Math.min(2 * ms, patience * 1000), await pause())
    try {
      return await act(ms);
    } catch (error) {
      if (Date.now() > late) throw new Error(`tried for ${patience} s in vain: ${what}`, { cause: error });
    }
};
