import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { logLevel, type LogLevel } from '#base/log.ts';
import { defaultPolicy, type DrawerPolicy } from '#drawer/policy.ts';
import { backendNames, type BackendName } from '#kernel/service.ts';
import { counters, defaultCounter, type Counter } from '#ledger/service.ts';
import type { Toolset } from './defineTool.ts';
import { toolsetNamed } from './registry.ts';

/** What `loom` takes from its environment. */
export type Environment = {
  /** LOOM_DB: the drawer's folder; else LOOM_HOME/drawer; else ~/.loom/drawer. */
  folder: string;
  /** LOOM_ALLOWED_DIRS: further folders that may be read, separated as in PATH. */
  allowedDirs: string[];
  /** LOOM_MCP_TOOLSET. */
  toolset: Toolset;
  /** LOOM_TTL_DAYS, LOOM_MAX_MB, LOOM_WHEN_FULL (evict, refuse), LOOM_REDACT (0 switches it off). */
  policy: DrawerPolicy;
  /** LOOM_STORE_CMD=1: ctx_store_cmd may run commands. */
  storeCmd: boolean;
  /** LOOM_PYTHON: the kernel's interpreter. */
  python: string | undefined;
  /** LOOM_KERNEL: what the kernel runs on. */
  backend: BackendName;
  /** LOOM_DB_PASSWORD: the passphrase of a sealed drawer. */
  passphrase: string | undefined;
  /** LOOM_COUNTER: the tokenizer that counts. */
  counter: Counter;
  /** LOOM_LOG_LEVEL: DEBUG, INFO, WARN, ERROR. */
  logLevel: LogLevel;
};

/** What `text` says, or `otherwise` where it is no number above 0. */
const positive = (text: string | undefined, otherwise: number): number => {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : otherwise;
};

const policyIn = (env: NodeJS.ProcessEnv): DrawerPolicy => ({
  ttlDays: positive(env['LOOM_TTL_DAYS'], defaultPolicy.ttlDays),
  maxSizeMB: positive(env['LOOM_MAX_MB'], defaultPolicy.maxSizeMB),
  whenFull: env['LOOM_WHEN_FULL'] === 'refuse' ? 'refuse' : defaultPolicy.whenFull,
  redact: env['LOOM_REDACT'] !== '0',
});

export const readEnvironment = (env: NodeJS.ProcessEnv): Environment => ({
  folder: resolve(env['LOOM_DB'] || join(env['LOOM_HOME'] || join(homedir(), '.loom'), 'drawer')),
  allowedDirs: (env['LOOM_ALLOWED_DIRS'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => resolve(folder)),
  toolset: toolsetNamed(env['LOOM_MCP_TOOLSET']),
  policy: policyIn(env),
  storeCmd: env['LOOM_STORE_CMD'] === '1',
  python: env['LOOM_PYTHON'] || undefined,
  backend: backendNames.find((name) => name === env['LOOM_KERNEL']) ?? 'auto',
  passphrase: env['LOOM_DB_PASSWORD'] || undefined,
  counter: counters.find((name) => name === env['LOOM_COUNTER']) ?? defaultCounter,
  logLevel: logLevel(env['LOOM_LOG_LEVEL']),
});
