import type { Tool } from '#mcp/defineTool.ts';
import { get } from './drawer/get.ts';
import { health } from './drawer/health.ts';
import { search } from './drawer/search.ts';
import { stats } from './drawer/stats.ts';
import { store } from './drawer/store.ts';
import { storeFile } from './drawer/storeFile.ts';

/** Every tool of Loom, by name. Listings, docs and schemas are derived from this list. */
export const tools: readonly Tool[] = [get, health, search, stats, store, storeFile];
