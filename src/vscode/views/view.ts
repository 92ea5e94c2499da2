// A view: its page, what it is sent, and what it asks to be done.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { asLoomError, type ErrorCode } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Ask } from '#base/view.ts';
import type { Way } from '#vscode/storage/waysOut.ts';
import { type Allowed, fromWebview } from './fromWebview.ts';
import { page } from './page.ts';
import type { FromWebview, Snapshots, ToWebview, ViewId } from './protocol.ts';
import { openSender, type Sender } from './sender.ts';
import type { ViewSource } from './snapshot.ts';
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

export type ViewParts<V extends ViewId> = {
  view: V;
  snapshot: () => Promise<Snapshots[V]>;
  /** What only this view does. */
  received?: (message: FromWebview) => void;
  /** The page begins, with nothing. */
  begun?: (message: FromWebview & { kind: 'ready' }) => void;
};

export type OpenView<V extends ViewId> = vscode.Disposable & {
  post: (message: ToWebview<V>) => void;
  sender: Sender;
};

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

type Acts = {
  begin: (message: FromWebview & { kind: 'ready' }) => void;
  /** Goes one of the ways out that were offered last. */
  goWay: (index: number) => Promise<void>;
  other: (message: FromWebview) => void;
};

/** Does what a person asked a page for; where it fails, they are told. */
const actor = (view: ViewId, { log }: ViewOptions, acts: Acts): ((message: FromWebview) => void) => {
  const attempt = (work: Thenable<unknown>): void => {
    work.then(undefined, (error: unknown) => {
      log.error(`what the ${view} asked for failed`, error);
      void vscode.window.showErrorMessage(asLoomError(error).message);
    });
  };
  return (message) => {
    if (message.kind === 'ready') acts.begin(message);
    else if (message.kind === 'way') attempt(acts.goWay(message.index));
    else if (message.kind === 'runCommand') attempt(vscode.commands.executeCommand(message.command, ...message.args));
    else acts.other(message);
  };
};

/** Fills `webview` with the page of a view, and answers it until the view is disposed of. */
export const openView = <V extends ViewId>(
  webview: vscode.Webview,
  options: ViewOptions,
  { view, snapshot, received, begun }: ViewParts<V>,
): OpenView<V> => {
  const { log, waysOut, onChange, allowed } = options;
  const post = (message: ToWebview<V>): void => void webview.postMessage(message);
  let ways: readonly Way[] = [];
  const sender = openSender({
    snapshot,
    sendWhole: (whole) => post({ kind: 'snapshot', snapshot: whole }),
    sendChanges: (changes) => post({ kind: 'changes', changes }),
    refused: (error) => {
      log.error(`the ${view} could not be filled`, error);
      const { code, message } = asLoomError(error);
      ways = waysOut(code);
      post({ kind: 'error', message, ways: ways.map(({ label }) => label) });
    },
  });
  const act = actor(view, options, {
    begin: (message) => {
      begun?.(message);
      sender.begin();
    },
    goWay: async (index) => {
      await ways[index]?.go();
      sender.begin();
    },
    other: (message) => received?.(message),
  });
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
