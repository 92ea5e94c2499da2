// What every call passes: rate, idempotency, audit, deadline.
import type { Log } from '#base/log.ts';
import { openAudit, type Audit } from '#mcp/audit/audit.ts';
import { callDeadline } from './deadline.ts';
import { openRateLimiter, type Rate, type RateLimiter } from './rateLimit.ts';
import { Replays } from './idempotency.ts';

/** What every call passes on its way, once a process: all its connections share it. */
export type Guards = {
  /** Undefined: calls are not limited. */
  limiter: RateLimiter | undefined;
  replays: Replays;
  /** Undefined: nothing is written down. */
  audit: Audit | undefined;
  /** Milliseconds for one whole call. */
  deadline: number;
  /** Writes what waits. */
  close: () => Promise<void>;
};

export type GuardsOptions = {
  rate?: Rate | undefined;
  /** Where the audit is kept: `audit` in the drawer's folder. */
  auditFolder?: string | undefined;
  deadline?: number;
  log: Log;
};

export const openGuards = ({ rate, auditFolder, deadline = callDeadline, log }: GuardsOptions): Guards => {
  const audit = auditFolder === undefined ? undefined : openAudit({ folder: auditFolder, log });
  return {
    limiter: rate && openRateLimiter(rate),
    replays: new Replays(),
    audit,
    deadline,
    close: async () => audit?.close(),
  };
};
