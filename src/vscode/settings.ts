import type { z } from 'zod';
import * as vscode from 'vscode';
import type { Log } from '#base/log.ts';
import type { DrawerPolicy } from '#drawer/policy.ts';
import { settings, type SettingId } from './contributions.ts';

type Value<K extends SettingId> = z.output<(typeof settings)[K]['schema']>;

/** The value of a setting, checked against its schema. A bad value is named in the log, and the default stands for it. */
export const setting = <K extends SettingId>(id: K, log: Log): Value<K> => {
  const { schema, default: fallback } = settings[id];
  const parsed = schema.safeParse(vscode.workspace.getConfiguration().get(id));
  if (parsed.success) return parsed.data as Value<K>;
  log.warn(
    `setting ${id} is not valid and is ignored: ${parsed.error.issues.map(({ message }) => message).join('; ')}`,
  );
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
