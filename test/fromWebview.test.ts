import { expect, test } from 'vitest';
import { asks } from '#assemble.ts';
import * as rooms from '#vscode/rooms.ts';
import { allowedBy, fromWebview } from '#vscode/views/fromWebview.ts';

const allowed = allowedBy(asks, rooms);

const run = (command: string, ...args: unknown[]) => ({ kind: 'runCommand', command, args });
const ask = (name: string, args: unknown) => ({ kind: 'ask', request: 3, name, args });

test.each([
  { kind: 'ready' },
  run('loom.openDocument', 'd7'),
  run('loom.openDocument', 'd7', 12),
  run('loom.searchDrawer'),
  run('loom.purge', 's1'),
  run('loom.openDrawer'),
  run('loom.openDrawer', 'sessions'),
  run('loom.kernel.openStream', 's1', 3, 'stderr'),
  run('workbench.trust.manage'),
  ask('drawer.documents', { kind: 'log', title: 'a', offset: 0, limit: 100 }),
  ask('ledger.entries', { scope: { life: true }, offset: 99_900, limit: 100 }),
])('%j is a message of the webview', (message) => {
  expect(fromWebview(message, allowed)).toEqual(message);
});

test.each([
  undefined,
  'ready',
  { kind: 'unknown' },
  { kind: 'ready', more: 1 },
  run('loom.openDocument'),
  run('loom.openDocument', 7),
  run('loom.openDocument', 'd7', 0),
  run('loom.openDocument', 'd7', 1, 'more'),
  run('loom.kernel.openStream', 's1', 3, 'all'),
  // A command, but none for views.
  run('loom.exportDrawer'),
  run('workbench.action.terminal.new'),
  run('constructor'),
  ask('drawer.documents', { offset: -1, limit: 100 }),
  ask('drawer.documents', { offset: 0, limit: 1_000_000 }),
  ask('drawer.detail', { offset: 0, limit: 1 }),
  ask('drawer.purge', {}),
  ask('ledger.documents', { offset: 0, limit: 1 }),
  ask('documents', { offset: 0, limit: 1 }),
])('%j is none', (message) => {
  expect(fromWebview(message, allowed)).toBeUndefined();
});
