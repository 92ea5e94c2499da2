import type { Span } from '#ledger/types.ts';
import { keep, kept, post, run } from '#webview/host.ts';
import type { Section } from '#webview/tab.ts';
import { button, tabs } from '#webview/ui/components.ts';
import { html, swap } from '#webview/ui/dom.ts';
import { billView } from './bill.ts';
import { words } from './ledger.ts';
import { timeChart } from './timeChart.ts';

const choose = (span: Span): void => {
  keep({ span });
  post({ kind: 'span', span });
};

/** The bills of this window's session and of everything ever, with what they came to over time. */
export const billSection = (): Section => {
  const boxes = { session: html('div', {}), life: html('div', {}) };
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
  return {
    element: html('section', {}, html('h2', {}, words.ledger), scopes, html('p', { class: 'buttons' }, open)),
    update: ({ bills, series }, changes) => {
      if ((changes.bills ?? changes.series) === undefined) return;
      for (const scope of ['session', 'life'] as const)
        swap(boxes[scope], ...billView(bills[scope], bills.gainLine, timeChart(series[scope], series.span, choose)));
    },
  };
};
