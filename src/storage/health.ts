/** What ctx_health, the status bar and `loom doctor` show of an open drawer. */
import type { Sealing } from '#storage/sealing/keySlots.ts';
import type { Member } from '#storage/member/member.ts';

export type OwnerHealth = {
  epoch: number;
  writes: number;
  imageBytes: number;
  maxBytes: number;
  journalBytes: number;
  clients: number;
  sealed: Sealing['kind'];
  lastCheckpoint: number | undefined;
  lastError: string | undefined;
  warnings: string[];
  /** The longest that one batch held the thread, in milliseconds. */
  longestTurn: number;
};

/** `view`: nobody can own the drawer, and what is readable is open for reading only. */
export type StoreRole = 'owner' | 'client' | 'view';

export type StoreHealth = OwnerHealth & {
  folder: string;
  role: StoreRole;
  /** At least 80 % of the cap is in use. */
  nearlyFull: boolean;
  /** In a view: why it is one. */
  problem: string | undefined;
  /** In a view: what of the drawer is not in it. */
  missing: string[];
};

const healthMs = 5_000;

export const health = async (folder: string, member: Member): Promise<StoreHealth> => {
  const { view } = member;
  if (view === undefined) {
    const owner = await member.admin('health', undefined, healthMs);
    const role = member.role === 'owner' ? 'owner' : 'client';
    const nearlyFull = owner.imageBytes >= 0.8 * owner.maxBytes;
    return { ...owner, folder, role, nearlyFull, problem: undefined, missing: [] };
  }
  return {
    folder,
    role: 'view',
    epoch: 0,
    writes: 0,
    imageBytes: view.imageBytes,
    maxBytes: 0,
    journalBytes: 0,
    clients: 0,
    sealed: 'off',
    lastCheckpoint: undefined,
    lastError: view.reason.message,
    warnings: [...view.warnings],
    longestTurn: 0,
    nearlyFull: false,
    problem: view.reason.message,
    missing: view.missing.map(({ message }) => message),
  };
};
