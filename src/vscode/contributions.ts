// What Loom adds to VS Code: scripts/gen.ts writes the manifest from here.
import { z } from 'zod';
import { settingTable } from '#assemble.ts';
import type { Setting } from '#base/settings.ts';
import { chatFiles } from './chatFiles.ts';
import type { Command, Item } from './defineWindowRoom.ts';
import { providerId, serverLabel } from './provider.ts';
import * as list from './rooms.ts';
import { sidebarView } from './sidebarMenu.ts';
import { walkthroughs } from './walkthrough.ts';

const rooms = Object.values(list);
const commands: [string, Command][] = rooms.flatMap((room) => Object.entries(room.commands));

/** Settings that a window has, by key. */
export const editorSettings = Object.entries(settingTable).flatMap(([key, { editor, ...setting }]) =>
  editor === undefined ? [] : [[`loom.${key}`, { ...setting, ...editor }] as const],
);

/** A context menu shows no category: what stands there alone would not say whose it is. */
const submenus = { 'loom.editor': 'Loom', 'loom.terminal': 'Loom' };

const menus = (): Record<string, Item[]> => {
  const all: Record<string, Item[]> = {};
  for (const room of rooms)
    for (const [menu, items] of Object.entries(room.menus ?? {})) (all[menu] ??= []).push(...items);
  return all;
};

const hidden = (): { command: string; when: string }[] =>
  commands.flatMap(([command, { hidden: unseen }]) => (unseen ? [{ command, when: 'false' }] : []));

const jsonSchema = ({ schema }: Pick<Setting, 'schema'>): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return rest;
};

type Word = (key: string, text: string) => string;

const property = ([id, setting]: (typeof editorSettings)[number], word: Word): [string, unknown] => [
  id,
  {
    ...jsonSchema(setting),
    ...(setting.enum && { enum: setting.enum }),
    default: setting.default,
    scope: setting.scope,
    markdownDescription: word(`${id}.description`, setting.description),
    ...(setting.enumDescriptions && {
      enumDescriptions: setting.enumDescriptions.map((text, n) => word(`${id}.enum.${n}`, text)),
    }),
  },
];

const commandOf = ([command, { title, icon, enablement }]: [string, Command], word: Word): object => ({
  command,
  category: 'Loom',
  title: word(`${command}.title`, title),
  icon,
  ...(enablement !== undefined && { enablement }),
});

/** The `contributes` of package.json, with `%key%` for each word that a person reads, and those words by key. */
export const manifest = (): { contributes: Record<string, unknown>; words: Record<string, string> } => {
  const words: Record<string, string> = {};
  const word: Word = (key, text) => {
    words[key] = text;
    return `%${key}%`;
  };
  const sidebar = { type: 'webview', id: sidebarView, name: word('view.sidebar', 'Ledger and Drawer') };
  const contributes = {
    mcpServerDefinitionProviders: [{ id: providerId, label: serverLabel }],
    commands: commands.map((command) => commandOf(command, word)),
    submenus: Object.entries(submenus).map(([id, label]) => ({ id, label: word(`submenu.${id}`, label) })),
    viewsContainers: { activitybar: [{ id: 'loom', title: 'Loom', icon: 'media/loom.svg' }] },
    views: { loom: [{ ...sidebar, icon: 'media/loom.svg' }] },
    ...Object.fromEntries(Object.values(chatFiles).map(({ point, path }) => [point, [{ path: `./${path}` }]])),
    chatPlugins: [{ path: './media/agent/archive', when: 'config.loom.archive.enabled' }],
    menus: { ...menus(), commandPalette: hidden() },
    walkthroughs: walkthroughs(word),
    configuration: {
      title: 'Loom',
      properties: Object.fromEntries(editorSettings.map((setting) => property(setting, word))),
    },
  };
  return { contributes, words };
};

/** Settings that a workspace may not set before it is trusted. */
export const restrictedSettings = (): string[] =>
  editorSettings.flatMap(([id, { restricted }]) => (restricted ? [id] : []));
