import { join } from 'node:path';
import * as vscode from 'vscode';
import { createArchive, openArchiveDoor } from '#archive/archive.ts';
import { startEngine } from '#host/engine.ts';
import { openGates } from '#mcp/call/guards.ts';
import { startHttpHost } from '#mcp/http/windowHost.ts';
import { startKernelHost } from '#host/kernels.ts';
import { listingVersion } from '#mcp/listing/render.ts';
import { check } from '#vscode/loom/check.ts';
import { registerArchive } from '#vscode/archive/hooks.ts';
import { copyClientConfiguration, refreshLauncher } from '#vscode/loom/clientConfiguration.ts';
import { exportLedger } from '#vscode/ledger/exportLedger.ts';
import { exportDrawer } from '#vscode/storage/exportDrawer.ts';
import { askAgent, openExample, openWalkthrough } from '#vscode/loom/guide.ts';
import { setProfile } from '#vscode/drawer/profile.ts';
import { purgeSessions } from '#vscode/drawer/purge.ts';
import { defaultRate } from '#mcp/call/rateLimit.ts';
import { surface } from '#mcp/listing/listing.ts';
import { skillEntry } from '#vscode/chatFiles.ts';
import { registerCommands } from '#vscode/ui/registerCommands.ts';
import { searchDrawer } from '#vscode/drawer/search.ts';
import { storeCommands } from '#vscode/drawer/storeCommands.ts';
import { noteConversations } from '#vscode/ledger/conversations.ts';
import { registerDocuments } from '#vscode/drawer/documents.ts';
import { keptKeys, registerEncryption } from '#vscode/storage/encryption.ts';
import { kernelChoice } from '#vscode/kernel/choice.ts';
import { kernelCommands } from '#vscode/kernel/commands.ts';
import { registerKernelOutput } from '#vscode/kernel/outputDocument.ts';
import { registerKernelStatus } from '#vscode/kernel/status.ts';
import { createLog } from '#vscode/log.ts';
import { watchProblems } from '#vscode/storage/problems.ts';
import { registerProvider } from '#vscode/provider.ts';
import { followPolicy } from '#vscode/drawer/policy.ts';
import { drawerPolicy, onSettingChange, setting, watchSettings } from '#vscode/settings.ts';
import { registerReport } from '#vscode/ui/reportDocument.ts';
import { registerStatusBar } from '#vscode/ledger/statusBar.ts';
import { registerPanel } from '#vscode/views/panel.ts';
import { registerSidebar } from '#vscode/views/sidebar.ts';
import { registerStreams } from '#vscode/kernel/streamDocument.ts';
import type { ViewOptions } from '#vscode/views/view.ts';
import { waysOut } from '#vscode/storage/waysOut.ts';
import { workspaceFolders, workspaceRoot } from '#vscode/workspace.ts';

/** What tests reach through the extension's exports. */
export type Api = { endpoint: () => Promise<{ url: string; headers: Record<string, string> }> };

let close: (() => Promise<void>) | undefined;

export const activate = (context: vscode.ExtensionContext): Api => {
  const { version } = context.extension.packageJSON as { version: string };
  const log = createLog();
  const drawer = join(context.globalStorageUri.fsPath, 'drawer');
  const { secrets } = context;
  const engine = startEngine(
    import.meta.dirname,
    { folder: drawer, version, policy: drawerPolicy(log), counter: setting('loom.tokenizer', log) },
    log,
    () => keptKeys(secrets),
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
  const report = registerReport();
  const toolset = () => setting('loom.toolset', log);
  const onListingChange = (listener: () => void): vscode.Disposable =>
    vscode.Disposable.from(
      onSettingChange(['loom.toolset', 'loom.archive.enabled'], listener),
      vscode.workspace.onDidGrantWorkspaceTrust(listener),
    );
  const archives = () => setting('loom.archive.enabled', log);
  const archive = openArchiveDoor(
    createArchive({
      engine: engine.call,
      log,
      enabled: archives,
      threshold: () => setting('loom.archive.threshold', log),
      session,
    }),
  );
  const conversations = noteConversations(engine.call);
  const gates = openGates({ rate: defaultRate, auditFolder: join(drawer, 'audit'), log });
  const host = startHttpHost({
    engine: conversations.engine,
    routes: { [archive.path]: archive.route },
    log,
    gates,
    version,
    toolset,
    onListingChange,
    client: 'vscode',
    archive: archives,
    standing: () => [skillEntry(context.extensionPath)],
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
    await gates.close();
    await kernel.close();
    await engine.close();
  };
  const problems = watchProblems({ engine, secrets, log });
  const clients = { programs: import.meta.dirname, storage: context.globalStorageUri.fsPath, drawer };
  refreshLauncher(clients);
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
      vscode.Disposable.from(
        engine.onChange(listener),
        vscode.workspace.onDidGrantWorkspaceTrust(listener),
        onSettingChange(['loom.drawer.whenFull', 'loom.drawer.maxSizeMB'], listener),
      ),
    waysOut: (code) => waysOut({ engine, secrets, log }, code),
  };
  const panel = registerPanel(views);
  context.subscriptions.push(
    log,
    watchSettings(log),
    followPolicy({ engine, kernel, problems, log }),
    registerProvider({
      host,
      version: () =>
        listingVersion(version, surface(toolset(), { trusted: vscode.workspace.isTrusted, archive: archives() })),
      onVersionChange: onListingChange,
    }),
    registerArchive({ host, door: archive, programs: import.meta.dirname, log }),
    registerDocuments(engine.call, log),
    registerEncryption({ engine: engine.call, secrets, log }),
    problems,
    registerStatusBar({ engine, conversations, problems, log }),
    registerKernelStatus(kernel),
    output,
    report,
    streams,
    registerSidebar(views),
    panel,
    registerCommands(
      {
        ...storeCommands({ engine: engine.call, session }),
        'loom.searchDrawer': (query) => searchDrawer(engine.call, query),
        'loom.setProfile': () => setProfile(engine.call, session),
        'loom.purge': (named) => purgeSessions(engine.call, session, named),
        'loom.exportDrawer': () => exportDrawer(engine.call),
        'loom.exportLedger': () => exportLedger(engine.call, session),
        'loom.check': () => check({ programs: import.meta.dirname, host, engine: engine.call, report }),
        'loom.copyClientConfiguration': () => copyClientConfiguration(clients),
        'loom.openDrawer': (tab) => panel.open(tab === 'sessions' ? tab : 'documents'),
        'loom.openLedger': () => panel.open('ledger'),
        ...kernelCommands({ kernel: kernel.call, session, output, log }),
        'loom.kernel.openExample': openExample,
        'loom.askAgent': askAgent,
        'loom.openWalkthrough': () => openWalkthrough(context.extension.id),
        'loom.resolveProblem': problems.resolve,
        'loom.showLog': () => log.show(),
      },
      log,
      problems.show,
    ),
  );
  return { endpoint: async () => host.then(({ url, headers }) => ({ url, headers })) };
};

/** VS Code waits for this: running calls and the drawer end in order. */
export const deactivate = (): Promise<void> | undefined => close?.();
