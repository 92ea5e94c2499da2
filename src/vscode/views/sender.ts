// What a page is sent, and when.
import type { Disposable } from '#base/disposable.ts';

/** Changes come in bursts: what became different is told this long after the first of one. */
const settleMs = 250;

export type SenderOptions<S> = {
  /** Takes all that a view shows, at one moment. */
  snapshot: () => Promise<S>;
  sendWhole: (snapshot: S) => void;
  /** `changes` may be empty: then only rows of lists may be different. */
  sendChanges: (changes: Partial<S>) => void;
  refused: (error: unknown) => void;
};

export type Sender = Disposable & {
  /** Sends a whole snapshot: the page has nothing. */
  begin: () => void;
  /** Something may be different. Settles. */
  changed: () => void;
  /** The page is gone: nothing is sent until it begins again. */
  stop: () => void;
};

/** What of `next` is not as in `last`. */
const changesBetween = <S extends object>(last: S, next: S): Partial<S> => {
  const changed = (key: string): boolean =>
    JSON.stringify(last[key as keyof S]) !== JSON.stringify(next[key as keyof S]);
  return Object.fromEntries(Object.entries(next).filter(([key]) => changed(key))) as Partial<S>;
};

/** Sends snapshots and then changes, one at a time: what changes meanwhile is in the next. */
export const openSender = <S extends object>(options: SenderOptions<S>): Sender => {
  let last: S | undefined;
  let listening = false;
  let timer: NodeJS.Timeout | undefined;
  let sending = false;
  let again = false;
  const sendOne = async (): Promise<void> => {
    try {
      const next = await options.snapshot();
      if (!listening) return;
      if (last === undefined) options.sendWhole(next);
      else options.sendChanges(changesBetween(last, next));
      last = next;
    } catch (error) {
      last = undefined;
      options.refused(error);
    }
  };
  const send = (): void => {
    again = sending;
    if (sending || !listening) return;
    sending = true;
    void sendOne().finally(() => {
      sending = false;
      if (again) send();
    });
  };
  const stop = (): void => {
    listening = false;
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    begin: () => {
      listening = true;
      last = undefined;
      send();
    },
    changed: () => {
      if (!listening) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        send();
      }, settleMs);
    },
    stop,
    dispose: stop,
  };
};
