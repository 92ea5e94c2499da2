import type { Tool } from '#mcp/defineTool.ts';
import { get } from './drawer/get.ts';
import { health } from './drawer/health.ts';
import { search } from './drawer/search.ts';
import { stats } from './drawer/stats.ts';
import { store } from './drawer/store.ts';
import { storeFile } from './drawer/storeFile.ts';
import { executionStatus } from './kernel/executionStatus.ts';
import { interruptPython } from './kernel/interruptPython.ts';
import { pythonStatus } from './kernel/pythonStatus.ts';
import { readOutput } from './kernel/readOutput.ts';
import { resetPython } from './kernel/resetPython.ts';
import { runPython } from './kernel/runPython.ts';
import { searchOutput } from './kernel/searchOutput.ts';
import { waitPython } from './kernel/waitPython.ts';

/** Every tool of Loom, by name. Listings, docs and schemas are derived from this list. */
export const tools: readonly Tool[] = [
  get,
  health,
  search,
  stats,
  store,
  storeFile,
  interruptPython,
  executionStatus,
  pythonStatus,
  readOutput,
  resetPython,
  runPython,
  searchOutput,
  waitPython,
];
