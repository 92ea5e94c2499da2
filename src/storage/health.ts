/** What ctx_health, the status bar and `loom doctor` show of an open drawer. */
import type { Member } from '#storage/member/member.ts';
import type { StoreHealth } from './types.ts';

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
    id: '',
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
