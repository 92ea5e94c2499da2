// Listeners of something that happens.
import type { Disposable } from './disposable.ts';

export type Audience<T> = {
  tell: (told: T) => void;
  add: (listener: (told: T) => void) => Disposable;
};

/** Listeners that are told of something until they are disposed of. */
export const audience = <T>(): Audience<T> => {
  const listeners = new Set<(told: T) => void>();
  return {
    tell: (told) => listeners.forEach((listener) => listener(told)),
    add: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
};
