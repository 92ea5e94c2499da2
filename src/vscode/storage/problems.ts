// What keeps the drawer from working, and what a person can do about it.
import * as vscode from 'vscode';
import { audience } from '#base/audience.ts';
import type { ErrorCode, LoomError } from '#base/errors.ts';
import type { Engine } from '#host/engine.ts';
import { onSettingChange } from '#vscode/settings.ts';
import { waysOut, type Way, type WayDeps } from './waysOut.ts';

export type ProblemDeps = WayDeps & { engine: Engine };

export type Problems = vscode.Disposable & {
  /** What keeps the drawer from working, until it works again. */
  standing: () => LoomError | undefined;
  onChange: (listener: () => void) => vscode.Disposable;
  /** Tells the person what was refused, with the ways out. */
  show: (error: LoomError) => void;
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

/** What stands in the way now, and whether it still does. */
const watchStanding = (storage: ProblemDeps['storage']) => {
  const changed = audience<void>();
  let standing: Standing | undefined;
  const set = (next: Standing | undefined): void => {
    standing = next;
    void vscode.commands.executeCommand('setContext', 'loom.problem', next !== undefined);
    changed.tell();
  };
  const size = async (): Promise<{ imageBytes: number; maxBytes: number }> => {
    const { imageBytes, maxBytes } = await storage.health({});
    return { imageBytes, maxBytes };
  };
  return {
    onChange: changed.add,
    error: (): LoomError | undefined => standing?.error,
    stand: async (error: LoomError): Promise<void> =>
      set({ error, ...(error.code === 'DRAWER_FULL' ? await size() : { imageBytes: 0, maxBytes: 0 }) }),
    /** A drawer that answers is open; a full one is so until it is smaller, or may be larger. Answers what is over. */
    look: async (): Promise<ErrorCode | undefined> => {
      if (standing === undefined) return undefined;
      const { error, imageBytes, maxBytes } = standing;
      const now = await size();
      const same = now.imageBytes >= imageBytes && now.maxBytes === maxBytes;
      if (standing?.error !== error || (error.code === 'DRAWER_FULL' && same)) return undefined;
      set(undefined);
      return error.code;
    },
  };
};

/** Knows what keeps the drawer from working, and asks the person, once at a time, where only they can help. */
export const watchProblems = (deps: ProblemDeps): Problems => {
  const { engine, storage, log } = deps;
  const standing = watchStanding(storage);
  /** Whom the person is being asked about, and whom they were. */
  const [asking, asked] = [new Set<ErrorCode>(), new Set<ErrorCode>()];
  const look = async (): Promise<void> => {
    const over = await standing.look();
    if (over !== undefined) asked.delete(over);
  };
  const lookSoon = (): void => void look().catch((error: unknown) => log.debug(`still in the way: ${String(error)}`));
  const go = async ({ go: way }: Way): Promise<void> => {
    await way();
    await look();
  };
  const ask = async ({ code, message }: LoomError): Promise<void> => {
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
  const refusals = engine.onRefusal((error) => {
    if (!standingCodes.has(error.code)) return;
    if (standing.error()?.code !== error.code)
      standing.stand(error).catch((fault: unknown) => log.error('the state of the drawer is not known', fault));
    if (!asked.has(error.code)) tell(error);
  });
  const changes = engine.onChange(lookSoon);
  // A full drawer may be larger now.
  const policy = onSettingChange(['drawer'], lookSoon);
  const show = (error: LoomError): void => {
    if (!asking.has(error.code)) tell(error);
  };
  return {
    standing: standing.error,
    onChange: standing.onChange,
    show,
    resolve: () => {
      const error = standing.error();
      if (error) show(error);
    },
    dispose: () => vscode.Disposable.from(refusals, changes, policy).dispose(),
  };
};
