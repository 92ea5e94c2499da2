import type { StoreHealth } from './store.ts';

/** What the drawer's file offers to the programs around it. */
export type StorageService = { health: (args: Record<string, never>) => Promise<StoreHealth> };
