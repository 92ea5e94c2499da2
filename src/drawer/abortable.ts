import { LoomError } from '#base/errors.ts';
import type { Call } from '#base/operation.ts';
import type { DrawerOperations } from './operations.ts';

/** `call` until `signal` aborts: then the next operation is refused, and so the work that is made of them ends. */
export const abortable = (call: Call<DrawerOperations>, signal: AbortSignal | undefined): Call<DrawerOperations> =>
  signal === undefined
    ? call
    : (name, args, options) =>
        signal.aborted
          ? Promise.reject(new LoomError('CANCELLED', 'The caller gave up; what it asked for was not finished.'))
          : call(name, args, options);
