// The views: the sidebar and the panel.
import * as vscode from 'vscode';
import type { Log } from '#base/log.ts';
import type { Services } from '#base/room.ts';
import { drawerSettings } from '#drawer/room.ts';
import type { Engine } from '#host/engine.ts';
import { registerStreams } from '#vscode/kernel/streamDocument.ts';
import { onSettingChange } from '#vscode/settings.ts';
import type { Problems } from '#vscode/storage/problems.ts';
import { waysOut } from '#vscode/storage/waysOut.ts';
import { registerPanel } from './panel.ts';
import type { TabId } from './protocol.ts';
import { registerSidebar } from './sidebar.ts';
import type { ViewOptions } from './view.ts';

type ViewsDeps = {
  context: vscode.ExtensionContext;
  log: Log & { show: () => void };
  services: Services;
  engine: Engine;
  session: () => Promise<string>;
  problems: Problems;
};

export type Views = vscode.Disposable & { openPanel: (tab: string) => void };

export const registerViews = ({ context, log, services, engine, session, problems }: ViewsDeps): Views => {
  const streams = registerStreams(services.kernel);
  const deps = { engine, storage: services.storage, secrets: context.secrets, log };
  const options: ViewOptions = {
    extensionUri: context.extensionUri,
    log,
    source: {
      services,
      session,
      whenFull: () => services.settings(drawerSettings)['drawer.whenFull'],
      trusted: services.workspace.trusted,
    },
    streams,
    onChange: (listener) =>
      vscode.Disposable.from(
        engine.onChange(listener),
        vscode.workspace.onDidGrantWorkspaceTrust(listener),
        onSettingChange(['drawer.whenFull', 'drawer.maxSizeMB'], listener),
      ),
    waysOut: (code) => waysOut(deps, code),
  };
  const panel = registerPanel(options);
  // A full drawer may be larger now.
  const policy = onSettingChange(['drawer'], problems.look);
  const held = vscode.Disposable.from(streams, registerSidebar(options), panel, policy);
  return { openPanel: (tab) => panel.open(tab as TabId), dispose: () => held.dispose() };
};
