// The net of this window in the status bar, or what keeps the drawer from working.
import * as vscode from 'vscode';
import type { ErrorCode } from '#base/errors.ts';
import { grouped } from '#base/text.ts';
import { ledgerSettings } from '#ledger/room.ts';
import type { Window } from '#vscode/defineWindowRoom.ts';
import { onSettingChange } from '#vscode/settings.ts';
import { noteConversations } from './conversations.ts';
import { signed, windowBill, type WindowBill } from './windowBill.ts';

/** Changes come in bursts: the bill is read this long after the first of one. */
const settleMs = 500;

const tokens = (n: number): string => signed(n, grouped(Math.abs(n)));

/** `Loom −12 %` of what was moved; in tokens where nothing was. */
const shortText = ({ net, gain }: WindowBill): string =>
  gain === undefined
    ? vscode.l10n.t('Loom {0} tokens', tokens(net))
    : vscode.l10n.t('Loom {0} %', signed(gain, String(Math.round(Math.abs(gain) * 100))));

const bill = ({ calls, turns, moved, listed, call, answer, net }: WindowBill): vscode.MarkdownString => {
  const rows: [string, string][] = [
    [vscode.l10n.t('Kept out of the prompt'), grouped(moved)],
    [vscode.l10n.t('Listing, turns: {0}', grouped(turns)), tokens(-listed)],
    [vscode.l10n.t('Calls: {0}', grouped(calls)), tokens(-call)],
    [vscode.l10n.t('Answers'), tokens(-answer)],
    [`**${vscode.l10n.t('Net')}**`, `**${tokens(net)}**`],
  ];
  const words = [
    `**${vscode.l10n.t('Loom in this window')}**`,
    [`| | ${vscode.l10n.t('tokens')} |`, '| :-- | --: |', ...rows.map(([name, n]) => `| ${name} | ${n} |`)].join('\n'),
    ...(net < 0 ? [vscode.l10n.t('Loom has cost more than it kept out.')] : []),
    vscode.l10n.t('Click for the ledger.'),
  ];
  return new vscode.MarkdownString(words.join('\n\n'));
};

const states = (): Partial<Record<ErrorCode, string>> => ({
  DRAWER_KEY: vscode.l10n.t('Loom: sealed'),
  DRAWER_FULL: vscode.l10n.t('Loom: full'),
  DRAWER_FOREIGN: vscode.l10n.t('Loom: held elsewhere'),
  DRAWER_CORRUPT: vscode.l10n.t('Loom: damaged'),
});

/** This window's net, from the first call on; or what keeps the drawer from working, and the way to its ways out. */
export const registerStatusBar = ({ engine, services, onCall, problems, log }: Window): vscode.Disposable => {
  const conversations = noteConversations();
  const item = vscode.window.createStatusBarItem('loom.net', vscode.StatusBarAlignment.Right, 100);
  item.name = vscode.l10n.t('Loom: Net of This Window');
  const showProblem = (code: ErrorCode, message: string): void => {
    item.text = `$(warning) ${states()[code] ?? vscode.l10n.t('Loom: not working')}`;
    item.tooltip = vscode.l10n.t('{0} Click for what you can do.', message);
    item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    item.command = 'loom.resolveProblem';
    item.show();
  };
  const showBill = (of: WindowBill | undefined): void => {
    if (of === undefined || !services.settings(ledgerSettings)['statusBar.enabled']) return item.hide();
    item.text = `$(archive) ${shortText(of)}`;
    item.tooltip = bill(of);
    item.backgroundColor = undefined;
    item.command = 'loom.openLedger';
    item.show();
  };
  const refresh = async (): Promise<void> => {
    const problem = problems.standing();
    if (problem) return showProblem(problem.code, problem.message);
    const ids = conversations.ids();
    showBill(windowBill(await Promise.all(ids.map((conversation) => services.ledger.report({ conversation })))));
  };
  let timer: NodeJS.Timeout | undefined;
  const refreshSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      refresh().catch((error: unknown) => log.error('the status bar could not be filled', error));
    }, settleMs);
  };
  return vscode.Disposable.from(
    item,
    onCall(({ conversation }) => conversations.note(conversation)),
    engine.onChange(refreshSoon),
    problems.onChange(refreshSoon),
    onSettingChange(['statusBar.enabled'], refreshSoon),
    { dispose: () => clearTimeout(timer) },
  );
};
