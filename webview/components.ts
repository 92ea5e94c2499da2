// The only importer of @vscode/webview-ui-toolkit: it is no longer maintained, and what replaces it replaces this file.
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDataGrid,
  vsCodeDataGridCell,
  vsCodeDataGridRow,
  vsCodeDivider,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeProgressRing,
  type DataGrid,
  type Panels,
} from '@vscode/webview-ui-toolkit';
import { html, type Child } from './dom.ts';

/** Makes the elements below known to the page. Once, before any is made. */
export const registerComponents = (): void => {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeDataGrid(),
    vsCodeDataGridCell(),
    vsCodeDataGridRow(),
    vsCodeDivider(),
    vsCodePanels(),
    vsCodePanelTab(),
    vsCodePanelView(),
    vsCodeProgressRing(),
  );
};

export const button = (label: string, appearance: 'primary' | 'secondary', onClick: () => void): HTMLElement => {
  const made = html('vscode-button', { appearance, 'data-key': label }, label);
  made.addEventListener('click', onClick);
  return made;
};

/** Not the toolkit's: that one's template has an inline style, which the page's policy refuses. */
export const badge = (text: string): HTMLElement => html('span', { class: 'badge' }, text);

export const divider = (): HTMLElement => html('vscode-divider', {});

export const progressRing = (label: string): HTMLElement => html('vscode-progress-ring', { 'aria-label': label });

export type Tab = { id: string; title: string; content: Child[] };

/** Tabs over their contents. `onChange` hears the id of the tab that a person chose. */
export const tabs = (
  label: string,
  all: readonly Tab[],
  active: string,
  onChange: (id: string) => void,
): HTMLElement => {
  const panels = html<Panels>(
    'vscode-panels',
    { 'aria-label': label, activeid: active },
    ...all.map(({ id, title }) => html('vscode-panel-tab', { id, 'data-key': `tab ${id}` }, title)),
    ...all.map(({ id, content }) => html('vscode-panel-view', { id: `${id}-view` }, html('div', {}, ...content))),
  );
  panels.addEventListener('change', () => onChange(panels.activeid));
  return panels;
};

export type Column = { key: string; title: string };

/** A table whose cells the arrow keys reach. `widths` as in CSS grid-template-columns. */
export const dataGrid = (
  label: string,
  columns: readonly Column[],
  widths: string,
  rows: readonly Record<string, string>[],
): HTMLElement => {
  const grid = html<DataGrid>('vscode-data-grid', { 'aria-label': label, 'grid-template-columns': widths });
  grid.columnDefinitions = columns.map(({ key, title }) => ({ columnDataKey: key, title }));
  grid.rowsData = [...rows];
  return grid;
};
