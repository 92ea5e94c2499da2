import { join } from 'node:path';
import * as vscode from 'vscode';
import { startEngine } from '#mcp/engine.ts';
import { startHttpHost } from '#mcp/httpHost.ts';
import { startKernelHost } from '#mcp/kernelHost.ts';
import { listingVersion } from '#mcp/listing.ts';
import { registerCommands } from '#vscode/commands/register.ts';
import { searchDrawer } from '#vscode/commands/search.ts';
import { storeActiveFile, storeSelection } from '#vscode/commands/store.ts';
import { registerDocuments } from '#vscode/documents.ts';
import { keptKeys, registerEncryption } from '#vscode/encryption.ts';
import { kernelChoice } from '#vscode/kernel/choice.ts';
import { kernelCommands } from '#vscode/kernel/commands.ts';
import { registerKernelOutput } from '#vscode/kernel/outputDocument.ts';
import { registerKernelStatus } from '#vscode/kernel/status.ts';
import { createLog } from '#vscode/log.ts';
import { registerProblems, waysOut } from '#vscode/problems.ts';
import { registerProvider } from '#vscode/provider.ts';
import { drawerPolicy, onSettingChange, setting } from '#vscode/settings.ts';
import { registerPanel } from '#vscode/views/panel.ts';
import { registerSidebar } from '#vscode/views/sidebar.ts';
import { registerStreams } from '#vscode/views/streamDocument.ts';
import type { ViewOptions } from '#vscode/views/view.ts';
import { workspaceFolders, workspaceRoot } from '#vscode/workspace.ts';

/** What tests reach through the extension's exports. */
export type Api = { endpoint: () => Promise<{ url: string; headers: Record<string, string> }> };

let close: (() => Promise<void>) | undefined;

export const activate = (context: vscode.ExtensionContext): Api => {
  const { version } = context.extension.packageJSON as { version: string };
  const log = createLog();
  const drawer = join(context.globalStorageUri.fsPath, 'drawer');
  const { secrets } = context;
  const engine = startEngine(import.meta.dirname, { folder: drawer, version, policy: drawerPolicy(log) }, log, () =>
    keptKeys(secrets),
  );
  const session = (): Promise<string> => engine.call.session({ client: 'vscode', root: workspaceRoot() });
  const kernel = startKernelHost({
    programs: import.meta.dirname,
    drawer,
    redact: setting('loom.redact', log),
    store: engine.call,
    log,
  });
  const output = registerKernelOutput();
  const toolset = () => setting('loom.toolset', log);
  const host = startHttpHost({
    engine: engine.call,
    log,
    version,
    toolset,
    client: 'vscode',
    root: workspaceRoot,
    readableFolders: () => [...workspaceFolders(), ...setting('loom.allowedDirs', log)],
    kernel: kernel.call,
    kernelChoice: () => kernelChoice(log),
    trusted: () => vscode.workspace.isTrusted,
    storeCmd: () => ({ enabled: setting('loom.storeCmd.enabled', log), workspace: workspaceFolders()[0] }),
  });
  host.catch((error: unknown) => log.error('the MCP server did not start', error));
  close = async () => {
    (await host).dispose();
    await kernel.close();
    await engine.close();
  };
  const known = waysOut({ engine, secrets, log });
  const streams = registerStreams(kernel.call);
  const views: ViewOptions = {
    extensionUri: context.extensionUri,
    log,
    source: {
      engine: engine.call,
      session,
      whenFull: () => setting('loom.drawer.whenFull', log),
      trusted: () => vscode.workspace.isTrusted,
    },
    streams,
    onChange: (listener) =>
      vscode.Disposable.from(engine.onChange(listener), vscode.workspace.onDidGrantWorkspaceTrust(listener)),
    waysOut: (code) => known[code] ?? [],
  };
  const panel = registerPanel(views);
  context.subscriptions.push(
    log,
    registerProvider({
      host,
      version: () => listingVersion(version, toolset()),
      onVersionChange: (listener) => onSettingChange(['loom.toolset'], listener),
    }),
    registerDocuments(engine.call),
    registerEncryption({ engine: engine.call, secrets, log }),
    registerProblems({ engine, secrets, log }),
    registerKernelStatus(kernel),
    output,
    streams,
    registerSidebar(views),
    panel,
    registerCommands(
      {
        'loom.storeActiveFile': () => storeActiveFile({ engine: engine.call, session }),
        'loom.storeSelection': () => storeSelection({ engine: engine.call, session }),
        'loom.searchDrawer': (query) => searchDrawer(engine.call, query),
        'loom.openDrawer': () => panel.open('documents'),
        'loom.openLedger': () => panel.open('ledger'),
        ...kernelCommands({ kernel: kernel.call, session, output, log }),
        'loom.showLog': () => log.show(),
      },
      log,
    ),
  );
  return { endpoint: async () => host.then(({ url, headers }) => ({ url, headers })) };
};

/** VS Code waits for this: running calls and the drawer end in order. */
export const deactivate = (): Promise<void> | undefined => close?.();
