// Search Drawer….
import * as vscode from 'vscode';
import type { Services } from '#base/room.ts';
import { LoomError } from '#base/errors.ts';
import type { Found, Passage } from '#drawer/types.ts';
import { openDocument } from './documents.ts';

type Hit = vscode.QuickPickItem & { open?: { id: string; title: string; line: number } };

/** Pause in typing after which a search begins, in milliseconds. */
const pauseMs = 120;

const hitsOf = ({ doc, title, newer, lines, hits, text }: Passage): Hit[] => {
  const all = text.split('\n');
  const shown = hits.length > 0 ? hits : [lines[0]];
  return shown.map((line) => ({
    label: (all[line - lines[0]] ?? '').trim().slice(0, 300) || ' ',
    description: `${title}:${line}`,
    detail: newer === undefined ? doc : vscode.l10n.t('{0}, an older version: {1} is newer', doc, newer),
    // The drawer has found it: VS Code's own filter must not throw it out again.
    alwaysShow: true,
    open: { id: doc, title, line },
  }));
};

const itemsOf = ({ passages, more, searched }: Found): Hit[] => {
  if (searched.documents === 0)
    return [{ label: vscode.l10n.t('The drawer is empty. Store a file first.'), alwaysShow: true }];
  if (passages.length === 0) return [{ label: vscode.l10n.t('No match'), alwaysShow: true }];
  const items = passages.flatMap(hitsOf);
  if (more > 0) items.push({ label: vscode.l10n.t('{0} more passages: narrow the search', more), alwaysShow: true });
  return items;
};

/** A search as one types, over every session; the chosen hit opens at its line. `query` is where it begins. */
export const searchDrawer = (drawer: Services['drawer'], query: unknown): void => {
  const pick = vscode.window.createQuickPick<Hit>();
  pick.title = vscode.l10n.t('Search Drawer');
  pick.placeholder = vscode.l10n.t('Words, names, error codes…');
  let running: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  const search = async (words: string): Promise<void> => {
    running?.abort();
    const { signal } = (running = new AbortController());
    pick.busy = true;
    try {
      const found = await drawer.searchAll({ query: words, limit: 50, units: 60_000 }, { signal });
      if (!signal.aborted) pick.items = itemsOf(found);
    } catch (error) {
      if (signal.aborted) return;
      const fault = error instanceof LoomError ? error.message : String(error);
      pick.items = [{ label: `$(error) ${fault}`, alwaysShow: true }];
    }
    if (!signal.aborted) pick.busy = false;
  };
  const changed = (words: string): void => {
    clearTimeout(timer);
    if (words.trim() === '') pick.items = [];
    else timer = setTimeout(() => void search(words), pauseMs);
  };
  pick.onDidChangeValue(changed);
  pick.onDidAccept(() => {
    const open = pick.selectedItems[0]?.open;
    if (!open) return;
    pick.hide();
    void openDocument(open.id, open.title, open.line);
  });
  pick.onDidHide(() => {
    clearTimeout(timer);
    running?.abort();
    pick.dispose();
  });
  pick.show();
  if (typeof query === 'string') {
    pick.value = query;
    changed(query);
  }
};
