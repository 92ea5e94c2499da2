// Set Profile….
import * as vscode from 'vscode';
import type { Services } from '#base/room.ts';
import { grouped } from '#base/text.ts';
import { budgets } from '#drawer/anchor/budgets.ts';
import type { Profile } from '#drawer/types.ts';
import { say } from '#vscode/ui/say.ts';

const meanings = (): Record<Profile, string> => ({
  strict: vscode.l10n.t('The longest anchors: the agent sees most at once, and pays most for each store.'),
  balanced: vscode.l10n.t('About half of that: a search more now and then.'),
  aggressive: vscode.l10n.t('The shortest anchors: outline and id, and the rest by search.'),
});

/** Asks how much anchors show in this workspace's session. What is stored stays the same. */
export const setProfile = async (drawer: Services['drawer'], session: () => Promise<string>): Promise<void> => {
  const own = await session();
  const current = await drawer.profile({ session: own });
  const items = Object.entries(meanings()).map(([name, detail]) => ({
    label: name,
    name: name as Profile,
    description: [
      vscode.l10n.t('up to {0} tokens an anchor', grouped(budgets[name as Profile])),
      ...(name === current ? [vscode.l10n.t('current')] : []),
    ].join(', '),
    detail,
  }));
  items.sort((a, b) => Number(b.name === current) - Number(a.name === current));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Set Profile'),
    placeHolder: vscode.l10n.t('How much an anchor shows; nothing in it changes what is stored'),
  });
  if (!chosen) return;
  await drawer.profile({ session: own, profile: chosen.name });
  say(vscode.l10n.t('the profile is {0}.', chosen.name));
};
