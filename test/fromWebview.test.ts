import { expect, test } from 'vitest';
import { fromWebview } from '#vscode/views/fromWebview.ts';

test.each([
  { kind: 'ready' },
  { kind: 'openDocument', id: 'd7' },
  { kind: 'openDocument', id: 'd7', line: 12 },
  { kind: 'runCommand', command: 'loom.searchDrawer' },
  { kind: 'runCommand', command: 'loom.purge', argument: 's1' },
  { kind: 'ask', request: 3, ask: { name: 'documents', args: { kind: 'log', title: 'a', offset: 0, limit: 100 } } },
  { kind: 'ask', request: 4, ask: { name: 'entries', args: { scope: { life: true }, offset: 99_900, limit: 100 } } },
  { kind: 'openStream', session: 's1', execution: 3, stream: 'stderr' },
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
  { kind: 'openDocument', id: 'd7', line: 0 },
  { kind: 'runCommand', command: 'workbench.action.terminal.new' },
  { kind: 'ask', request: 1, ask: { name: 'documents', args: { offset: -1, limit: 100 } } },
  { kind: 'ask', request: 1, ask: { name: 'documents', args: { offset: 0, limit: 1_000_000 } } },
  { kind: 'ask', request: 1, ask: { name: 'detail', args: { offset: 0, limit: 1 } } },
  { kind: 'ask', request: 1, ask: { name: 'purge', args: {} } },
  { kind: 'openStream', session: 's1', execution: 3, stream: 'all' },
])('%j is none', (message) => {
  expect(fromWebview(message)).toBeUndefined();
});
