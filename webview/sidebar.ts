import type { Sidebar, Span } from '#vscode/views/protocol.ts';
import { billView } from '#webview/ledger/bill.ts';
import { button, divider, tabs } from '#webview/ui/components.ts';
import { html, swap } from '#webview/ui/dom.ts';
import { drawerView } from '#webview/drawer/drawerView.ts';
import { failure, loading } from '#webview/ui/frame.ts';
import { keep, kept, listen, post } from './host.ts';
import { notices } from './notices.ts';
import { timeChart } from '#webview/ledger/timeChart.ts';
import { words } from './words.ts';

type Scope = 'session' | 'life';

/** The boxes of the sidebar; what changes is put into its own. */
type Boxes = { all: HTMLElement[]; notices: HTMLElement; session: HTMLElement; life: HTMLElement; drawer: HTMLElement };

const box = (): HTMLElement => html('div', {});

const makeBoxes = (): Boxes => {
  const [session, life, drawer, noticeBox] = [box(), box(), html('section', {}), box()];
  const scopes = tabs(
    words.scopes,
    [
      { id: 'session', title: words.session, content: [session] },
      { id: 'life', title: words.life, content: [life] },
    ],
    kept().scope ?? 'session',
    (id) => keep({ scope: id === 'life' ? 'life' : 'session' }),
  );
  const open = button(words.openLedger, 'secondary', () => post({ kind: 'runCommand', command: 'loom.openLedger' }));
  const ledger = html('section', {}, html('h2', {}, words.ledger), scopes, html('p', { class: 'buttons' }, open));
  return { all: [noticeBox, ledger, divider(), drawer], notices: noticeBox, session, life, drawer };
};

const choose = (span: Span): void => {
  keep({ span });
  post({ kind: 'span', span });
};

const fillBill = (boxes: Boxes, scope: Scope, { bills, series }: Sidebar): void =>
  swap(boxes[scope], ...billView(bills[scope], bills.gainLine, timeChart(series[scope], series.span, choose)));

/** The ledger and the drawer beside the editors. */
export const showSidebar = (root: HTMLElement): void => {
  let boxes: Boxes | undefined;
  let shown: Sidebar | undefined;
  const begin = (): void => {
    boxes = undefined;
    swap(root, loading(words.loading));
    post({ kind: 'ready', span: kept().span });
  };
  const update = (changes: Partial<Sidebar>): void => {
    shown = { ...shown, ...changes } as Sidebar;
    if (boxes === undefined) {
      boxes = makeBoxes();
      swap(root, ...boxes.all);
    }
    if (changes.bills ?? changes.series)
      for (const scope of ['session', 'life'] as const) fillBill(boxes, scope, shown);
    if (changes.status)
      swap(
        boxes.notices,
        ...notices(shown.status, () => post({ kind: 'runCommand', command: 'loom.openDrawer', argument: 'sessions' })),
      );
    if (changes.status ?? changes.documents) swap(boxes.drawer, ...drawerView(shown));
  };
  listen((message) => {
    if (message.kind === 'snapshot') update(message.snapshot as Sidebar);
    else if (message.kind === 'changes' && boxes) update(message.changes as Partial<Sidebar>);
    else if (message.kind === 'error') {
      boxes = undefined;
      swap(root, ...failure(message.message, message.ways, begin));
    }
  });
  begin();
};
