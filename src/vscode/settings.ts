// Settings as VS Code has them.
import * as vscode from 'vscode';
import { settingTable } from '#assemble.ts';
import type { Log } from '#base/log.ts';
import type { ReadSettings, Setting, Values } from '#base/settings.ts';

const idOf = (key: string): string => `loom.${key}`;

const valueOf = (key: string, { schema, default: fallback, editor }: Setting, log: Log): unknown => {
  const given: unknown = editor && vscode.workspace.getConfiguration().get(idOf(key));
  const parsed = schema.safeParse(given ?? fallback);
  if (parsed.success) return parsed.data;
  log.debug(`the default of ${idOf(key)} is used: its value is not valid`);
  return schema.parse(fallback);
};

/** Values of settings, checked; the default stands for a bad one, which `watchSettings` names. */
export const settingsOf =
  (log: Log): ReadSettings =>
  (table) =>
    Object.fromEntries(
      Object.entries<Setting>(table).map(([key, setting]) => [key, valueOf(key, setting, log)]),
    ) as Values<typeof table>;

/** Calls `listener` when a setting of one of these keys changes. */
export const onSettingChange = (keys: readonly string[], listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (keys.some((key) => event.affectsConfiguration(idOf(key)))) listener();
  });

/** Opens the settings editor at those whose ids begin with `filter`. */
export const openSettings = async (filter: string): Promise<unknown> =>
  vscode.commands.executeCommand('workbench.action.openSettings', filter);

/** One change of a settings file may come as several, with the defaults in between. */
const settleMs = 500;

type Bad = { id: string; value: string; fallback: string; why: string };

const badSettings = (): Bad[] =>
  Object.entries(settingTable).flatMap(([key, { schema, default: fallback, editor }]) => {
    if (editor === undefined) return [];
    const value: unknown = vscode.workspace.getConfiguration().get(idOf(key));
    const { error } = schema.safeParse(value);
    const why = error?.issues.map(({ message }) => message).join('; ');
    if (why === undefined) return [];
    return [{ id: idOf(key), value: JSON.stringify(value) ?? 'undefined', fallback: JSON.stringify(fallback), why }];
  });

/** Names each bad value to the person, once: at the start, and when it is changed to another bad one. */
export const watchSettings = (log: Log): vscode.Disposable => {
  const named = new Map<string, string>();
  const tell = async ({ id, value, fallback, why }: Bad): Promise<void> => {
    log.warn(`setting ${id} is ${value}: ${why}. The default is used: ${fallback}`);
    const open = vscode.l10n.t('Open Settings');
    const words = vscode.l10n.t('Loom: {0} cannot be {1}; the default {2} is used. {3}', id, value, fallback, why);
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
