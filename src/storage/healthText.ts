/** The drawer's state in words. */
import { counted, grouped, megabytes } from '#base/text.ts';
import type { StoreHealth } from './types.ts';

const state = ({ role, problem }: StoreHealth): string => {
  if (role === 'view') return `open for reading only: ${problem ?? 'damaged'}`;
  return role === 'owner' ? 'open, owned by this program' : 'open, owned by another program';
};

/** The drawer's state in lines. */
export const healthText = (health: StoreHealth): string => {
  const { imageBytes, maxBytes, nearlyFull, journalBytes, epoch, writes, sealed, lastCheckpoint } = health;
  const share = maxBytes === 0 ? '' : ` of ${megabytes(maxBytes)} (${Math.round((100 * imageBytes) / maxBytes)} %)`;
  return [
    `drawer: ${state(health)}`,
    `folder: ${health.folder}`,
    `size: ${megabytes(imageBytes)}${share}${nearlyFull ? ', nearly full: purge, or raise loom.drawer.maxSizeMB' : ''}`,
    `epoch ${epoch}, ${counted(writes, 'commit')}, journal ${grouped(journalBytes)} bytes, other programs connected: ${health.clients}`,
    `last checkpoint: ${lastCheckpoint === undefined ? 'none in this run' : new Date(lastCheckpoint).toISOString()}`,
    `encryption: ${sealed}`,
    `last error: ${health.lastError ?? 'none'}`,
    ...health.warnings.map((warning) => `warning: ${warning}`),
    ...health.missing.map((part) => `missing: ${part}`),
  ].join('\n');
};
