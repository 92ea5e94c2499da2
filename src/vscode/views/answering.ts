// Answers to what pages ask.
import { asLoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Services } from '#base/room.ts';
import type { Ask } from '#base/view.ts';
import type { FromWebview, ToWebview } from './protocol.ts';

type Asked = Extract<FromWebview, { request: number }>;

/** Answers what a page asks, in any order; what it does not wait for any more is given up. */
export const answering = (
  asks: ReadonlyMap<string, Ask>,
  services: Services,
  log: Log,
  post: (message: ToWebview) => void,
): ((message: Asked) => void) => {
  const running = new Map<number, AbortController>();
  return (message) => {
    const { request } = message;
    if (message.kind === 'cancel') return running.get(request)?.abort();
    const ask = asks.get(message.name);
    if (ask === undefined) return undefined;
    const control = new AbortController();
    running.set(request, control);
    ask
      .answer(message.args as object, services, control)
      .then(
        (answer) => post({ kind: 'answer', request, answer }),
        (error: unknown) => {
          if (!control.signal.aborted) log.warn(`${message.name} of a view was refused: ${String(error)}`);
          post({ kind: 'refusal', request, message: asLoomError(error).message });
        },
      )
      .finally(() => running.delete(request));
  };
};
