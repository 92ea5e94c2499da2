// What a model reads where a call was refused.
import { randomUUID } from 'node:crypto';
import { asLoomError, baseErrors, type ErrorTable } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Outcome } from './idempotency.ts';

/**
 * What a model reads where a call was refused. Clients drop `isError` on the way, so the words say it themselves. A fault of
 * ours tells its code and a request id; the log has the rest.
 */
export const refusalOf = (
  thrown: unknown,
  named: (words: string) => string,
  { errors, log }: { errors: ErrorTable; log: Log },
): Outcome => {
  const { code, message, retryAfterS, details } = asLoomError(thrown);
  // A program of another version may refuse with a code that this one does not have.
  const { category, retryable, fix } = errors[code] ?? baseErrors.INTERNAL;
  const request = code === 'INTERNAL' ? randomUUID() : undefined;
  if (request !== undefined) log.error(`request ${request} failed`, thrown);
  const again = retryable ? 'may be retried' : 'do not retry unchanged';
  const words =
    request === undefined
      ? named(message)
      : `a fault in Loom, request ${request}. ${fix} If it happens again, report it with that id.`;
  return {
    answer: { parts: [`Error ${code} (${category}, ${again}): ${words}`] },
    code,
    retryable,
    details: {
      code,
      category,
      retryable,
      ...(request !== undefined && { request_id: request }),
      ...(retryAfterS !== undefined && { retry_after_s: retryAfterS }),
      ...details,
    },
  };
};
