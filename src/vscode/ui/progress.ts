// Shows progress of what takes a while.
import { setTimeout as after } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { CallControl } from '#base/rpc.ts';

/** What takes no longer than this shows nothing. */
const patienceMs = 1_000;

/**
 * Work that a person waits for: once it takes over a second, a notification says how far it is and cancels it. Not
 * `cancellable` is what cannot be cut.
 */
export const withProgress = async <R>(
  title: string,
  work: (control: CallControl) => Promise<R>,
  cancellable = true,
): Promise<R> => {
  const abort = new AbortController();
  let report: CallControl['progress'] = () => undefined;
  const running = work({ signal: abort.signal, progress: (share, words) => report(share, words) });
  const ended = running.then(
    () => true,
    () => true,
  );
  if (await Promise.race([ended, after(patienceMs, false)])) return running;
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable };
  await vscode.window.withProgress(options, async (shown, token) => {
    token.onCancellationRequested(() => abort.abort());
    let last = 0;
    report = (share, message) => {
      shown.report({ message, increment: Math.max(0, share - last) * 100 });
      last = Math.max(last, share);
    };
    await ended;
  });
  return running;
};
