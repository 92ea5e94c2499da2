// No call takes longer than its deadline.
import { LoomError } from '#base/errors.ts';
import type { CallControl } from '#base/rpc.ts';

/** The longest that a call may take, in milliseconds. */
export const callDeadline = 300_000;

/**
 * Runs `work` until it ends, the caller gives up, or `ms` are over; in the last two it is told to stop and not waited for.
 * What was stored until then stays, and the refusal says how far it was.
 */
export const withDeadline = async <R>(
  control: CallControl,
  ms: number,
  work: (control: CallControl) => Promise<R>,
): Promise<R> => {
  const late = AbortSignal.timeout(ms);
  const signal = AbortSignal.any([control.signal, late]);
  let done = '';
  const progress: CallControl['progress'] = (share, words) => {
    done = ` Until then: ${words}.`;
    control.progress(share, words);
  };
  const ended = Promise.withResolvers<never>();
  const end = (): void =>
    ended.reject(
      late.aborted
        ? new LoomError(
            'DEADLINE',
            `The call took longer than ${ms / 1_000} s and was stopped.${done} Call again, or ask for less: what was stored is there, and is not stored twice.`,
          )
        : new LoomError('CANCELLED', `The call was cancelled.${done}`),
    );
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await Promise.race([work({ signal, progress }), ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
};
