import type { Tool } from '#mcp/defineTool.ts';
import { check } from './drawer/check.ts';
import { get } from './drawer/get.ts';
import { health } from './drawer/health.ts';
import { listSessions } from './drawer/listSessions.ts';
import { profile } from './drawer/profile.ts';
import { purgeExpired } from './drawer/purgeExpired.ts';
import { purgeSession } from './drawer/purgeSession.ts';
import { rebuildIndex } from './drawer/rebuildIndex.ts';
import { search } from './drawer/search.ts';
import { store } from './drawer/store.ts';
import { storeCmd } from './drawer/storeCmd.ts';
import { storeFile } from './drawer/storeFile.ts';
import { transfer } from './drawer/transfer.ts';
import { vacuum } from './drawer/vacuum.ts';
import { vectorStats } from './drawer/vectorStats.ts';
import { verify } from './drawer/verify.ts';
import { executionStatus } from './kernel/executionStatus.ts';
import { interruptPython } from './kernel/interruptPython.ts';
import { pythonStatus } from './kernel/pythonStatus.ts';
import { readOutput } from './kernel/readOutput.ts';
import { resetPython } from './kernel/resetPython.ts';
import { runPython } from './kernel/runPython.ts';
import { searchOutput } from './kernel/searchOutput.ts';
import { waitPython } from './kernel/waitPython.ts';
import { ledger } from './ledger/ledger.ts';
import { stats } from './ledger/stats.ts';
import { activate } from './loom/activate.ts';
import { op, opWrite } from './loom/op.ts';
import { searchAll } from './loom/search.ts';

/** Every tool of Loom, by name. Listings, docs and schemas are derived from this list. */
export const tools: readonly Tool[] = [
  check,
  get,
  health,
  listSessions,
  profile,
  purgeExpired,
  purgeSession,
  rebuildIndex,
  search,
  stats,
  store,
  storeCmd,
  storeFile,
  transfer,
  vacuum,
  vectorStats,
  verify,
  interruptPython,
  ledger,
  activate,
  op,
  opWrite,
  searchAll,
  executionStatus,
  pythonStatus,
  readOutput,
  resetPython,
  runPython,
  searchOutput,
  waitPython,
];
