import { expect, test } from 'vitest';
import { fromWebview } from '#vscode/views/fromWebview.ts';

test.each([
  { kind: 'ready' },
  { kind: 'openDocument', id: 'd7' },
  { kind: 'runCommand', command: 'loom.searchDrawer' },
])('%j is a message of the webview', (message) => {
  expect(fromWebview(message)).toEqual(message);
});

test.each([
  undefined,
  'ready',
  { kind: 'unknown' },
  { kind: 'ready', more: 1 },
  { kind: 'openDocument' },
  { kind: 'openDocument', id: 7 },
  { kind: 'runCommand', command: 'workbench.action.terminal.new' },
])('%j is none', (message) => {
  expect(fromWebview(message)).toBeUndefined();
});
