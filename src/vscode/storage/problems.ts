// What keeps the drawer from working, and what a person can do about it.
import * as vscode from 'vscode';
import { audience } from '#base/audience.ts';
import type { ErrorCode, LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Services } from '#base/room.ts';
import type { Engine } from '#host/engine.ts';
import { waysOut, type Way } from './waysOut.ts';

export type ProblemDeps = {
  engine: Engine;
  storage: Services['storage'];
  secrets: vscode.SecretStorage;
  log: Log & { show: () => void };
};

export type Problems = vscode.Disposable & {
  /** What keeps the drawer from working, until it works again. */
  standing: () => LoomError | undefined;
  onChange: (listener: () => void) => vscode.Disposable;
  /** Tells the person what was refused, with the ways out. */
  show: (error: LoomError) => void;
  /** Looks whether it still stands; a change of the drawer is looked at anyway. */
  look: () => void;
  /** Tells them once more what stands in the way; the command's work. */
  resolve: () => void;
};

/** What stands in the way of everything, or of every store, until a person does something about it. */
const standingCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'DRAWER_FOREIGN',
  'DRAWER_KEY',
  'DRAWER_NEWER',
  'DRAWER_PROTOCOL',
  'DRAWER_CORRUPT',
  'DRAWER_NETWORK',
  'DRAWER_FULL',
  'DRAWER_UNWRITABLE',
]);

type Standing = { error: LoomError; imageBytes: number; maxBytes: number };

/** Knows what keeps the drawer from working, and asks the person, once at a time, where only they can help. */
export const watchProblems = (deps: ProblemDeps): Problems => {
  const { engine, storage, log } = deps;
  const changed = audience<void>();
  /** Whom the person is being asked about, and whom they were. */
  const [asking, asked] = [new Set<ErrorCode>(), new Set<ErrorCode>()];
  let standing: Standing | undefined;
  const set = (next: Standing | undefined): void => {
    standing = next;
    void vscode.commands.executeCommand('setContext', 'loom.problem', next !== undefined);
    changed.tell();
  };
  const health = async (): Promise<{ imageBytes: number; maxBytes: number }> => {
    const { imageBytes, maxBytes } = await storage.health({});
    return { imageBytes, maxBytes };
  };
  /** A drawer that answers is open; a full one is so until it is smaller, or may be larger. */
  const look = async (): Promise<void> => {
    if (standing === undefined) return;
    const { error, imageBytes, maxBytes } = standing;
    const now = await health();
    const same = now.imageBytes >= imageBytes && now.maxBytes === maxBytes;
    if (standing?.error !== error || (error.code === 'DRAWER_FULL' && same)) return;
    asked.delete(error.code);
    set(undefined);
  };
  const lookSoon = (): void => void look().catch((error: unknown) => log.debug(`still in the way: ${String(error)}`));
  const go = async ({ go: way }: Way): Promise<void> => {
    await way();
    await look();
  };
  const ask = async (error: LoomError): Promise<void> => {
    const { code, message } = error;
    const ways = waysOut(deps, code);
    asking.add(code);
    asked.add(code);
    const show = standingCodes.has(code) ? vscode.window.showErrorMessage : vscode.window.showWarningMessage;
    const chosen = await show(message, ...ways.map(({ label }) => label));
    asking.delete(code);
    const way = ways.find(({ label }) => label === chosen);
    if (way) await go(way);
  };
  const tell = (error: LoomError): void =>
    void ask(error).catch((fault: unknown) => log.error('the way out failed', fault));
  const stand = async (error: LoomError): Promise<void> => {
    const full = error.code === 'DRAWER_FULL';
    set({ error, ...(full ? await health() : { imageBytes: 0, maxBytes: 0 }) });
  };
  const refusals = engine.onRefusal((error) => {
    if (!standingCodes.has(error.code)) return;
    if (standing?.error.code !== error.code)
      stand(error).catch((fault: unknown) => log.error('the state of the drawer is not known', fault));
    if (!asked.has(error.code)) tell(error);
  });
  const changes = engine.onChange(lookSoon);
  const show = (error: LoomError): void => {
    if (!asking.has(error.code)) tell(error);
  };
  return {
    standing: () => standing?.error,
    onChange: changed.add,
    show,
    look: lookSoon,
    resolve: () => standing && show(standing.error),
    dispose: () => vscode.Disposable.from(refusals, changes).dispose(),
  };
};
