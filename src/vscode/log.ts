// The output channel.
import * as vscode from 'vscode';
import type { Log } from '#base/log.ts';

/** Loom's output channel; VS Code keeps its level. */
export const createLog = (): Log & vscode.Disposable & { show: () => void } => {
  const channel = vscode.window.createOutputChannel('Loom', { log: true });
  return {
    debug: (message) => channel.debug(message),
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message, error) => channel.error(message, ...(error === undefined ? [] : [error])),
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
};
