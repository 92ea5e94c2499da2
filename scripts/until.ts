type Nothing = undefined | null | false | 0 | '';

/** Asks `check` again until it gives something. After `seconds` it fails and says what did not come. */
export const until = async <R>(
  what: string,
  seconds: number,
  check: () => R | Promise<R>,
): Promise<Exclude<R, Nothing>> => {
  for (const late = Date.now() + seconds * 1000; ; await new Promise((again) => setTimeout(again, 100))) {
    const found = await check();
    if (found) return found as Exclude<R, Nothing>;
    if (Date.now() > late) throw new Error(`waited ${seconds} s in vain for ${what}`);
  }
};
