import type { Tool } from '#mcp/defineTool.ts';
import { check } from '#drawer/tools/check.ts';
import { get } from '#drawer/tools/get.ts';
import { health } from '#storage/tools/health.ts';
import { listSessions } from '#drawer/tools/listSessions.ts';
import { profile } from '#drawer/tools/profile.ts';
import { purgeExpired } from '#drawer/tools/purgeExpired.ts';
import { purgeSession } from '#drawer/tools/purgeSession.ts';
import { rebuildIndex } from '#drawer/tools/rebuildIndex.ts';
import { search } from '#drawer/tools/search.ts';
import { store } from '#drawer/tools/store.ts';
import { storeCmd } from '#drawer/tools/storeCmd.ts';
import { storeFile } from '#drawer/tools/storeFile.ts';
import { transfer } from '#drawer/tools/transfer.ts';
import { vacuum } from '#drawer/tools/vacuum.ts';
import { vectorStats } from '#drawer/tools/vectorStats.ts';
import { verify } from '#drawer/tools/verify.ts';
import { executionStatus } from '#kernel/tools/executionStatus.ts';
import { interruptPython } from '#kernel/tools/interruptPython.ts';
import { pythonStatus } from '#kernel/tools/pythonStatus.ts';
import { readOutput } from '#kernel/tools/readOutput.ts';
import { resetPython } from '#kernel/tools/resetPython.ts';
import { runPython } from '#kernel/tools/runPython.ts';
import { searchOutput } from '#kernel/tools/searchOutput.ts';
import { waitPython } from '#kernel/tools/waitPython.ts';
import { ledger } from '#ledger/tools/ledger.ts';
import { stats } from '#ledger/tools/stats.ts';
import { activate } from './activate.ts';
import { op, opWrite } from './op.ts';
import { searchAll } from './searchAll.ts';

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
