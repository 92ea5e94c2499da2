// The only importer of @vscode/webview-ui-toolkit: it is no longer maintained, and what replaces it replaces this file.
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDataGrid,
  vsCodeDataGridCell,
  vsCodeDataGridRow,
  vsCodeDivider,
  vsCodeDropdown,
  vsCodeOption,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeProgressRing,
  type DataGrid,
  type Dropdown,
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
    vsCodeDropdown(),
    vsCodeOption(),
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

export type Field = { element: HTMLElement; value: () => string; set: (text: string) => void };

/** Milliseconds without a key after which a text is taken. */
const pauseMs = 150;

/**
 * A line of text; `onChange` hears it when a person pauses, or presses Enter. Not the toolkit's, which is named "Text field"
 * whatever its label is.
 */
export const textField = (label: string, value: string, onChange: (text: string) => void): Field => {
  const field = html<HTMLInputElement>('input', {
    type: 'search',
    class: 'field',
    'aria-label': label,
    placeholder: label,
    'data-key': label,
  });
  field.value = value;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let told = value;
  const tell = (): void => {
    clearTimeout(timer);
    if (field.value === told) return;
    told = field.value;
    onChange(told);
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(tell, pauseMs);
  });
  field.addEventListener('change', tell);
  return {
    element: field,
    value: () => field.value,
    set: (text) => {
      // What a person is typing is not taken from them.
      if (text === told) return;
      told = text;
      field.value = text;
    },
  };
};

export type Choice = { value: string; title: string };
export type Choices = { element: HTMLElement; set: (choices: readonly Choice[], value: string) => void };

/** One of several. What is chosen stays so when the others change. */
export const dropdown = (label: string, onChange: (value: string) => void): Choices => {
  const made = html<Dropdown>('vscode-dropdown', { 'aria-label': label, 'data-key': label });
  let shown = '';
  made.addEventListener('change', () => {
    onChange(made.value);
  });
  return {
    element: made,
    set: (choices, value) => {
      const next = JSON.stringify([choices, value]);
      if (next === shown) return;
      shown = next;
      made.replaceChildren(
        ...choices.map((choice) =>
          html('vscode-option', { value: choice.value, selected: choice.value === value }, choice.title),
        ),
      );
      made.value = value;
    },
  };
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
