import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, call, writeFile } from './loom.ts';
import type { Tests } from './runTests.ts';

type Item = { command?: string; when?: string };
type Manifest = {
  contributes: {
    commands: { command: string; title: string; icon: string; enablement?: string }[];
    menus: Record<string, Item[]>;
    walkthroughs: { steps: { completionEvents: string[] }[] }[];
  };
};

const manifest = async (): Promise<Manifest['contributes']> => {
  await activated();
  const extension = vscode.extensions.getExtension('loom.loom');
  assert(extension);
  return (extension.packageJSON as Manifest).contributes;
};

/** The names in a `when` clause, without its values. */
const keysIn = (clause: string): string[] =>
  clause
    .split(/&&|\|\|/)
    .flatMap((part) => /^\s*!?\(?([\w.]+)/.exec(part)?.[1] ?? [])
    .filter((key) => key !== 'false' && key !== 'true');

const terminalShowing = async (text: string): Promise<vscode.Terminal> => {
  const written = new vscode.EventEmitter<string>();
  const opened = Promise.withResolvers<void>();
  const pty = { onDidWrite: written.event, open: opened.resolve, close: () => undefined };
  const terminal = vscode.window.createTerminal({ name: 'build', pty: pty as vscode.Pseudoterminal });
  terminal.show();
  await opened.promise;
  written.fire(text);
  return terminal;
};

export const contributionTests: Tests = {
  'every command of the manifest is registered, and so is what walkthrough and menus call': async () => {
    const { commands, menus, walkthroughs } = await manifest();
    const registered = new Set(await vscode.commands.getCommands(true));
    const named = [
      ...commands.map(({ command }) => command),
      ...Object.values(menus).flatMap((items) => items.flatMap(({ command }) => command ?? [])),
      ...walkthroughs.flatMap(({ steps }) =>
        steps.flatMap(({ completionEvents }) =>
          completionEvents.flatMap((event) => /^onCommand:(.+)$/.exec(event)?.[1] ?? []),
        ),
      ),
    ];
    assert.deepEqual(
      named.filter((command) => !registered.has(command)),
      [],
    );
    for (const { title, icon } of commands) assert.match(`${icon} ${title}`, /^\$\([a-z-]+\) \w/);
  },

  'every key of a when clause is one that VS Code, or Loom, sets': async () => {
    const { commands, menus } = await manifest();
    const known = await vscode.commands.executeCommand<{ key: string }[]>('getContextKeyInfo');
    // VS Code sets `view` in each view's own menus and lists it nowhere.
    const keys = new Set([...known.map(({ key }) => key), 'view', 'loom.problem']);
    const used = [
      ...commands.flatMap(({ enablement }) => keysIn(enablement ?? '')),
      ...Object.values(menus).flatMap((items) => items.flatMap(({ when }) => keysIn(when ?? ''))),
    ];
    assert(used.length > 5);
    assert.deepEqual(
      used.filter((key) => !keys.has(key)),
      [],
    );
  },

  'what is stored opens with the drawer’s guess of its language, a chunk too, and an unknown id says why': async () => {
    const anchor = await call('ctx_store', { text: '{"a":[1,2,3]}\n'.repeat(400), title: 'answer of a service' });
    const id = /\bd\d+\b/.exec(anchor)?.[0];
    const open = (path: string): Thenable<vscode.TextDocument> =>
      vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: 'loom', path }));
    const document = await open(`/${id}/answer of a service`);
    const language = Promise.withResolvers<string>();
    const listener = vscode.workspace.onDidOpenTextDocument(
      ({ uri, languageId }) =>
        uri.path === document.uri.path && languageId !== 'plaintext' && language.resolve(languageId),
    );
    if (document.languageId !== 'plaintext') language.resolve(document.languageId);
    assert.equal(await language.promise, 'jsonl');
    listener.dispose();
    assert(document.getText().startsWith((await open(`/${id}.1/answer`)).getText()));
    await assert.rejects(async () => open('/d999999/gone'), /d999999/);
  },

  'a binary file, stored by the explorer’s command, opens byte for byte': async () => {
    const bytes = Uint8Array.from({ length: 3_000 }, (_, n) => (n * 7919) % 256);
    const file = await writeFile('image.bin', Buffer.from(bytes));
    const [stored] = await vscode.commands.executeCommand<{ id: string }[]>('loom.storeResource', file, [file]);
    const back = await vscode.workspace.fs.readFile(
      vscode.Uri.from({ scheme: 'loom', path: `/${stored?.id}/image.bin` }),
    );
    assert.deepEqual(Buffer.from(back), Buffer.from(bytes));
  },

  'the selection of a terminal is stored, and the clipboard is as it was': async () => {
    const terminal = await terminalShowing(`${'compiled a module\r\n'.repeat(20)}the build needle\r\n`);
    await vscode.env.clipboard.writeText('mine');
    await vscode.commands.executeCommand('workbench.action.terminal.focus');
    await vscode.commands.executeCommand('workbench.action.terminal.selectAll');
    const stored = await vscode.commands.executeCommand<{ id: string } | undefined>('loom.storeTerminalSelection');
    assert(stored?.id, 'nothing was stored');
    assert.equal(await vscode.env.clipboard.readText(), 'mine');
    assert.match(await call('ctx_get', { id: stored.id }), /the build needle/);
    terminal.dispose();
  },
};
