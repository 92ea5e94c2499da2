// The views: the sidebar and the panel.
import * as vscode from 'vscode';
import { asks } from '#assemble.ts';
import type { Log } from '#base/log.ts';
import type { Services } from '#base/room.ts';
import type { Engine } from '#host/engine.ts';
import * as rooms from '#vscode/rooms.ts';
import { onSettingChange } from '#vscode/settings.ts';
import { waysOut } from '#vscode/storage/waysOut.ts';
import { allowedBy } from './fromWebview.ts';
import { registerPanel } from './panel.ts';
import { registerSidebar } from './sidebar.ts';
import type { ViewOptions } from './view.ts';
import { viewWords } from './words.ts';

type ViewsDeps = {
  context: vscode.ExtensionContext;
  log: Log & { show: () => void };
  services: Services;
  engine: Engine;
  session: () => Promise<string>;
};

export type Views = vscode.Disposable & { openPanel: (tab: string) => void };

export const registerViews = ({ context, log, services, engine, session }: ViewsDeps): Views => {
  const deps = { storage: services.storage, secrets: context.secrets, log };
  const options: ViewOptions = {
    extensionUri: context.extensionUri,
    log,
    source: { services, session },
    words: viewWords(vscode.l10n, rooms),
    asks,
    allowed: allowedBy(asks, rooms),
    onChange: (listener) =>
      vscode.Disposable.from(
        engine.onChange(listener),
        vscode.workspace.onDidGrantWorkspaceTrust(listener),
        onSettingChange(['drawer.whenFull', 'drawer.maxSizeMB'], listener),
      ),
    waysOut: (code) => waysOut(deps, code),
  };
  const panel = registerPanel(options);
  const held = vscode.Disposable.from(registerSidebar(options), panel);
  return { openPanel: panel.open, dispose: () => held.dispose() };
};
