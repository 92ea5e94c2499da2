import type { z } from 'zod';
import * as vscode from 'vscode';
import type { Log } from '#base/log.ts';
import type { DrawerPolicy } from '#drawer/policy.ts';
import { settings, type Setting, type SettingId } from './contributions.ts';

type Value<K extends SettingId> = z.output<(typeof settings)[K]['schema']>;

/** The value of a setting, checked against its schema; the default stands for a bad one, which `watchSettings` names. */
export const setting = <K extends SettingId>(id: K, log: Log): Value<K> => {
  const { schema, default: fallback } = settings[id];
  const parsed = schema.safeParse(vscode.workspace.getConfiguration().get(id));
  if (parsed.success) return parsed.data as Value<K>;
  log.debug(`the default of ${id} is used: its value is not valid`);
  return fallback as Value<K>;
};

/** What a person decided about the drawer. */
export const drawerPolicy = (log: Log): DrawerPolicy => ({
  ttlDays: setting('loom.drawer.ttlDays', log),
  maxSizeMB: setting('loom.drawer.maxSizeMB', log),
  whenFull: setting('loom.drawer.whenFull', log),
  redact: setting('loom.redact', log),
});

/** Calls `listener` when one of `ids` changes. */
export const onSettingChange = (ids: readonly SettingId[], listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (ids.some((id) => event.affectsConfiguration(id))) listener();
  });

/** Opens the settings editor at those whose ids begin with `filter`. */
export const openSettings = async (filter: string): Promise<unknown> =>
  vscode.commands.executeCommand('workbench.action.openSettings', filter);

/** One change of a settings file may come as several, with the defaults in between. */
const settleMs = 500;

type Bad = { id: SettingId; value: string; why: string };

const badSettings = (): Bad[] =>
  (Object.entries(settings) as [SettingId, Setting][]).flatMap(([id, { schema }]) => {
    const value: unknown = vscode.workspace.getConfiguration().get(id);
    const { error } = schema.safeParse(value);
    const why = error?.issues.map(({ message }) => message).join('; ');
    return why === undefined ? [] : [{ id, value: JSON.stringify(value) ?? 'undefined', why }];
  });

/** Names each bad value to the person, once: at the start, and when it is changed to another bad one. */
export const watchSettings = (log: Log): vscode.Disposable => {
  const named = new Map<SettingId, string>();
  const tell = async ({ id, value, why }: Bad): Promise<void> => {
    log.warn(`setting ${id} is ${value}: ${why}. The default is used: ${JSON.stringify(settings[id].default)}`);
    const open = vscode.l10n.t('Open Settings');
    const words = vscode.l10n.t(
      'Loom: {0} cannot be {1}; the default {2} is used. {3}',
      id,
      value,
      JSON.stringify(settings[id].default),
      why,
    );
    if ((await vscode.window.showWarningMessage(words, open)) === open) await openSettings(id);
  };
  const look = (): void => {
    for (const each of badSettings()) {
      if (named.get(each.id) === each.value) continue;
      named.set(each.id, each.value);
      tell(each).catch((error: unknown) => log.error('a bad setting was not named', error));
    }
  };
  look();
  let timer: NodeJS.Timeout | undefined;
  const lookSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(look, settleMs);
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('loom') && lookSoon()),
    { dispose: () => clearTimeout(timer) },
  );
};
