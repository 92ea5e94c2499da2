import type { Span } from '#ledger/types.ts';
import { keep, kept, run } from '#webview/host.ts';
import type { Part, TabContext } from '#webview/tab.ts';
import { button, tabs } from '#webview/ui/components.ts';
import { html, swap, type Child } from '#webview/ui/dom.ts';
import { repeating } from '#webview/ui/repeating.ts';
import { billView } from './bill.ts';
import { ask, words } from './ledger.ts';
import { timeChart } from './timeChart.ts';

/** The bills of this window's session and of everything ever, with what they came to over time. */
export const billSection = ({ snapshot }: Pick<TabContext, 'snapshot'>): Part => {
  const boxes = { session: html('div', {}), life: html('div', {}) };
  const fill = (content: (scope: 'session' | 'life') => Child[]): void => {
    for (const scope of ['session', 'life'] as const) swap(boxes[scope], ...content(scope));
  };
  const scopes = tabs(
    words.scopes,
    [
      { id: 'session', title: words.session, content: [boxes.session] },
      { id: 'life', title: words.life, content: [boxes.life] },
    ],
    kept().scope ?? 'session',
    (id) => keep({ scope: id === 'life' ? 'life' : 'session' }),
  );
  const open = button(words.openLedger, 'secondary', () => run('loom.openLedger'));
  const choose = (span: Span): void => {
    keep({ span });
    refresh();
  };
  const refresh = repeating(
    async () => {
      const { session } = snapshot();
      const span = kept().span ?? 'day';
      const [bills, series] = await Promise.all([ask('bills', { session }), ask('series', { session, span })]);
      return { bills, series, span };
    },
    ({ bills, series, span }) =>
      fill((scope) => billView(bills[scope], bills.gainLine, timeChart(series[scope], span, choose))),
    (message) => fill(() => [html('p', { role: 'alert' }, message)]),
  );
  return {
    element: html('section', {}, html('h2', {}, words.ledger), scopes, html('p', { class: 'buttons' }, open)),
    update: refresh,
  };
};
