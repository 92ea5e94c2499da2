// A view: its page, what it is sent, and what it asks to be done.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { asLoomError, type ErrorCode } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Ask } from '#base/view.ts';
import type { Way } from '#vscode/storage/waysOut.ts';
import { answering } from './answering.ts';
import { type Allowed, fromWebview } from './fromWebview.ts';
import { page } from './page.ts';
import type { FromWebview, ToWebview, ViewId } from './protocol.ts';
import { openSender, type Sender } from './sender.ts';
import { snapshotOf, type ViewSource } from './snapshot.ts';
import type { Words } from './words.ts';

/** What the views are given. */
export type ViewOptions = {
  extensionUri: vscode.Uri;
  log: Log;
  source: ViewSource;
  /** In the person's language. */
  words: Words;
  /** What a page may ask, as `room.name`. */
  asks: ReadonlyMap<string, Ask>;
  /** What of its messages is taken. */
  allowed: Allowed;
  /** Tells of each commit to the drawer, and of what else a status shows. */
  onChange: (listener: () => void) => vscode.Disposable;
  /** What a person can do about a drawer that does not open. */
  waysOut: (code: ErrorCode) => readonly Way[];
};

export type OpenView = vscode.Disposable & { post: (message: ToWebview) => void; sender: Sender };

const fillPage = (webview: vscode.Webview, { extensionUri, words }: ViewOptions, view: ViewId): void => {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = page({
    view,
    source: webview.cspSource,
    script: file('webview.js'),
    style: file('webview.css'),
    nonce: randomBytes(16).toString('hex'),
    language: vscode.env.language,
    words,
  });
};

/** Fills `webview` with the page of a view, and answers it until the view is disposed of. `begun`: the page has nothing yet. */
export const openView = (webview: vscode.Webview, options: ViewOptions, view: ViewId, begun?: () => void): OpenView => {
  const { log, source, asks, waysOut, onChange, allowed } = options;
  const post = (message: ToWebview): void => void webview.postMessage(message);
  let ways: readonly Way[] = [];
  const sender = openSender({
    snapshot: () => snapshotOf(source, view),
    sendWhole: (snapshot) => post({ kind: 'snapshot', snapshot }),
    sendChanges: (changes) => post({ kind: 'changes', changes }),
    refused: (error) => {
      log.error(`the ${view} could not be filled`, error);
      const { code, message } = asLoomError(error);
      ways = waysOut(code);
      post({ kind: 'error', message, ways: ways.map(({ label }) => label) });
    },
  });
  /** Does what a person asked the page for; where it fails, they are told. */
  const attempt = (work: Thenable<unknown>): void => {
    work.then(undefined, (error: unknown) => {
      log.error(`what the ${view} asked for failed`, error);
      void vscode.window.showErrorMessage(asLoomError(error).message);
    });
  };
  const goWay = async (index: number): Promise<void> => {
    await ways[index]?.go();
    sender.begin();
  };
  const answer = answering(asks, source.services, log, post);
  const act = (message: FromWebview): void => {
    if (message.kind === 'ready') {
      begun?.();
      sender.begin();
    } else if (message.kind === 'way') attempt(goWay(message.index));
    else if (message.kind === 'runCommand') attempt(vscode.commands.executeCommand(message.command, ...message.args));
    else answer(message);
  };
  const held = [
    webview.onDidReceiveMessage((message: unknown) => {
      const known = fromWebview(message, allowed);
      if (known === undefined) log.warn(`the ${view} sent a message that is none`);
      else act(known);
    }),
    onChange(sender.changed),
    sender,
  ];
  fillPage(webview, options, view);
  return { post, sender, dispose: () => vscode.Disposable.from(...held).dispose() };
};
