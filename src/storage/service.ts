import type { StoreHealth } from './health.ts';

/** What the drawer's file offers to the programs around it. */
export type StorageService = { health: (args: Record<string, never>) => Promise<StoreHealth> };
