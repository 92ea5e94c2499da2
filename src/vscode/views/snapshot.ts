// What the views are sent: what all their parts are drawn from.
import type { Services } from '#base/room.ts';
import type { Snapshot, ViewId } from './protocol.ts';

/** Where the views take what they show from. */
export type ViewSource = {
  services: Services;
  /** This window's session. */
  session: () => Promise<string>;
};

/** Only the panel names sessions: to list them takes a look at every document. */
export const snapshotOf = async ({ services, session }: ViewSource, view: ViewId): Promise<Snapshot> => {
  const { storage, drawer, workspace } = services;
  const own = await session();
  const [health, { whenFull }, sessions] = await Promise.all([
    storage.health({}),
    drawer.policy({}),
    view === 'panel' ? drawer.sessions({}) : [],
  ]);
  const { imageBytes: usedBytes, maxBytes, nearlyFull, role, problem, missing } = health;
  const trusted = workspace.trusted();
  const status = { usedBytes, maxBytes, nearlyFull, whenFull, role, problem, missing, trusted };
  return { status, session: own, sessions };
};
