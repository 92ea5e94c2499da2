import { auditVerify } from './audit.ts';
import { check } from './check.ts';
import { client } from './client.ts';
import type { Command } from './defineVerb.ts';
import { get, purge, search, sessions, store } from '#drawer/cli.ts';
import { exportActions } from './exportActions.ts';
import { mcp, serve } from './mcp.ts';
import { doctor, exportTo, health, seal, stats, unlock, unseal, vacuum } from '#storage/cli.ts';

/** Every command of `loom`, in the order in which the help shows them. */
export const commands: readonly Command[] = [
  mcp,
  serve,
  client,
  check,
  store,
  search,
  get,
  sessions,
  purge,
  health,
  stats,
  vacuum,
  exportTo,
  exportActions,
  doctor,
  unlock,
  seal,
  unseal,
  auditVerify,
];
