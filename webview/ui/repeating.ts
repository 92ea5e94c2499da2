/** Does `work` each time it is told to, one at a time, and once more where it was told to meanwhile. */
export const repeating = (work: () => Promise<void>, failed: (message: string) => void): (() => void) => {
  let [running, again] = [false, false];
  const begin = (): void => {
    again = running;
    if (running) return;
    running = true;
    void work()
      .catch((error: Error) => failed(error.message))
      .finally(() => {
        running = false;
        if (again) begin();
      });
  };
  return begin;
};
