// Notices a drawer's folder that was put back to an older state: VS Code keeps beside it how far the drawer was seen.
import * as vscode from 'vscode';
import { grouped } from '#base/text.ts';
import type { Log } from '#base/log.ts';
import type { Engine } from '#host/engine.ts';
import type { StoreHealth } from '#storage/types.ts';

const key = 'loom.drawer.seen';
/** Milliseconds between two looks: what VS Code keeps may be so much behind. */
const everyMs = 10_000;

type Seen = { id: string; writes: number };
type State = Pick<vscode.Memento, 'get' | 'update'>;

/** Keeps how far the drawer is. Answers with what was kept where the same drawer was seen further than it is now. */
export const lookBack = async (
  { id, writes, role }: Pick<StoreHealth, 'id' | 'writes' | 'role'>,
  state: State,
): Promise<Seen | undefined> => {
  // A view says nothing of the whole, and an earlier program that owns the drawer does not name it.
  if (role === 'view' || !id) return undefined;
  const seen = state.get<Seen>(key);
  if (seen?.id === id && seen.writes === writes) return undefined;
  await state.update(key, { id, writes });
  return seen?.id === id && seen.writes > writes ? seen : undefined;
};

export type RollbackDeps = {
  storage: { health: (args: Record<string, never>) => Promise<StoreHealth> };
  engine: Pick<Engine, 'onChange'>;
  state: State;
  log: Log;
};

export const registerRollback = ({ storage, engine, state, log }: RollbackDeps): vscode.Disposable => {
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const health = await storage.health({});
    const seen = await lookBack(health, state);
    if (seen === undefined) return;
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Loom: the drawer’s folder was put back to an older state. It has {0} writes, and {1} were seen here: what was stored in between is not in it.',
        grouped(health.writes),
        grouped(seen.writes),
      ),
    );
  };
  const changes = engine.onChange(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      look().catch((error: unknown) => log.debug(`how far the drawer is was not seen: ${String(error)}`));
    }, everyMs);
  });
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    changes.dispose();
  });
};
