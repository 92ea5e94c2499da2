/**
 * Fetches each time it is told to, one at a time, and once more where it was told to meanwhile. What came is shown where it
 * is not what was shown last: it would take what a person selected there.
 */
export const repeating = <A>(
  fetch: () => Promise<A>,
  show: (answer: A) => void,
  failed: (message: string) => void,
): (() => void) => {
  let [running, again] = [false, false];
  let shown: string | undefined;
  const fetchOnce = async (): Promise<void> => {
    try {
      const answer = await fetch();
      const next = JSON.stringify(answer);
      if (next !== shown) show(answer);
      shown = next;
    } catch (error) {
      shown = undefined;
      failed((error as Error).message);
    }
  };
  const begin = (): void => {
    again = running;
    if (running) return;
    running = true;
    void fetchOnce().finally(() => {
      running = false;
      if (again) begin();
    });
  };
  return begin;
};
