import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { asLoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { sidebarView, type CommandId } from '#vscode/contributions.ts';
import { fromWebview } from './fromWebview.ts';
import { page } from './page.ts';
import type { SidebarCommand, Snapshot, ToWebview } from './protocol.ts';

/** Changes come in bursts: a snapshot is taken this long after the first of one. */
const settleMs = 250;

export type SidebarOptions = {
  extensionUri: vscode.Uri;
  log: Log;
  snapshot: () => Promise<Snapshot>;
  onChange: (listener: () => void) => vscode.Disposable;
  openDocument: (id: string, title: string) => Promise<void>;
};

/** The view of the ledger and the drawer. Its page holds no state but what it is sent: hidden, it may go. */
export const registerSidebar = (options: SidebarOptions): vscode.Disposable => {
  const provider: vscode.WebviewViewProvider = { resolveWebviewView: (view) => fill(view, options) };
  return vscode.window.registerWebviewViewProvider(sidebarView, provider);
};

const fill = (view: vscode.WebviewView, options: SidebarOptions): void => {
  const { webview } = view;
  const dist = vscode.Uri.joinPath(options.extensionUri, 'dist');
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  const sender = openSender(options, (message) => void webview.postMessage(message));
  const subscriptions = [
    webview.onDidReceiveMessage((message: unknown) => {
      const received = fromWebview(message);
      if (received === undefined) options.log.warn('the sidebar sent a message that is none');
      else if (received.kind === 'ready') sender.send();
      else if (received.kind === 'openDocument') void open(received.id, sender.last(), options);
      else run(received.command);
    }),
    // A hidden page gets nothing; it asks when it is shown again.
    options.onChange(() => view.visible && sender.sendSoon()),
    sender,
  ];
  view.onDidDispose(() => vscode.Disposable.from(...subscriptions).dispose());
  webview.html = page({
    source: webview.cspSource,
    script: file('webview.js'),
    style: file('webview.css'),
    nonce: randomBytes(16).toString('hex'),
    language: vscode.env.language,
  });
};

/** Opens a document that the page was told of; any other id is none of its business. */
const open = async (id: string, shown: Snapshot | undefined, { openDocument, log }: SidebarOptions): Promise<void> => {
  const document = shown?.documents.find((row) => row.id === id);
  if (document === undefined) return;
  try {
    await openDocument(id, document.title);
  } catch (error) {
    log.error('a document did not open', error);
    void vscode.window.showErrorMessage(asLoomError(error).message);
  }
};

const run = (command: SidebarCommand & CommandId): void => void vscode.commands.executeCommand(command);

type Sender = vscode.Disposable & {
  send: () => void;
  sendSoon: () => void;
  /** The snapshot that was sent last. */
  last: () => Snapshot | undefined;
};

/** Takes snapshots and posts them, one at a time: what changes meanwhile is in the next. */
const openSender = ({ snapshot, log }: SidebarOptions, post: (message: ToWebview) => void): Sender => {
  let last: Snapshot | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sending = false;
  let again = false;
  const sendOne = async (): Promise<void> => {
    try {
      last = await snapshot();
      post({ kind: 'snapshot', snapshot: last });
    } catch (error) {
      log.error('the sidebar could not be filled', error);
      post({ kind: 'error', message: asLoomError(error).message });
    }
  };
  const send = (): void => {
    again = sending;
    if (sending) return;
    sending = true;
    void sendOne().finally(() => {
      sending = false;
      if (again) send();
    });
  };
  const sendSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      send();
    }, settleMs);
  };
  return { send, sendSoon, last: () => last, dispose: () => clearTimeout(timer) };
};
