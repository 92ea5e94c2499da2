// Program 1: the extension. Wiring only: the rooms, the window's MCP server, the views.
import { join } from 'node:path';
import * as vscode from 'vscode';
import { audience } from '#base/audience.ts';
import { assemble, type Loom } from './assemble.ts';
import type { Caller } from '#mcp/caller.ts';
import { listingOf } from '#mcp/listing/listing.ts';
import { listingVersion } from '#mcp/listing/render.ts';
import { startHttpHost, type HttpHost } from '#mcp/http/windowHost.ts';
import { toolsetSetting } from '#mcp/room.ts';
import { skillEntry } from '#vscode/chatFiles.ts';
import type { Window } from '#vscode/defineWindowRoom.ts';
import { windowInterpreter } from '#vscode/kernel/choice.ts';
import { createLog } from '#vscode/log.ts';
import { registerProvider } from '#vscode/provider.ts';
import * as rooms from '#vscode/rooms.ts';
import { onSettingChange, settingsOf, watchSettings } from '#vscode/settings.ts';
import { keptKeys } from '#vscode/storage/encryption.ts';
import { watchProblems } from '#vscode/storage/problems.ts';
import { registerCommands } from '#vscode/ui/registerCommands.ts';
import { registerViews } from '#vscode/views/views.ts';
import { windowWorkspace, workspaceRoot } from '#vscode/workspace.ts';

/** What tests reach through the extension's exports. */
export type Api = { endpoint: () => Promise<{ url: string; headers: Record<string, string> }> };

const programs = import.meta.dirname;
let close: (() => Promise<void>) | undefined;

/** What changes the listing: VS Code, and every client that is connected, asks for it anew. */
const onListingChange = (listener: () => void): vscode.Disposable =>
  vscode.Disposable.from(
    onSettingChange(['toolset', 'archive.enabled'], listener),
    vscode.workspace.onDidGrantWorkspaceTrust(listener),
  );

const begin = (context: vscode.ExtensionContext, log: ReturnType<typeof createLog>, version: string): Loom => {
  const settings = settingsOf(log);
  return assemble({
    programs,
    folder: join(context.globalStorageUri.fsPath, 'drawer'),
    version,
    log,
    settings,
    onSettings: (listener) => onSettingChange([''], listener),
    keys: () => keptKeys(context.secrets),
    services: { workspace: windowWorkspace(settings), interpreter: () => windowInterpreter(settings, log) },
  });
};

/** The server of this window, for Copilot's agent mode, and its offer to VS Code. */
const serve = (loom: Loom, context: vscode.ExtensionContext, version: string, onCall: (caller: Caller) => void) => {
  const { house, routes, moreInstructions } = loom;
  const { settings, workspace } = house.services;
  const toolset = (): string => settings(toolsetSetting(house.rosters)).toolset;
  const host = startHttpHost({
    house,
    routes,
    moreInstructions,
    version,
    toolset,
    onListingChange,
    client: 'vscode',
    standing: () => [skillEntry(context.extensionPath)],
    onCall,
  });
  host.catch((error: unknown) => house.log.error('the MCP server did not start', error));
  const listed = (): string =>
    listingVersion(
      version,
      listingOf(house.tools, toolset(), { trusted: workspace.trusted(), moreInstructions: moreInstructions() }),
    );
  return { host, provider: registerProvider({ host, version: listed, onVersionChange: onListingChange }) };
};

const closing = (host: Promise<HttpHost>, loom: Loom) => async (): Promise<void> => {
  // A server that did not start was reported when it did not.
  await host.then(
    (server) => server.dispose(),
    () => undefined,
  );
  await loom.close();
};

export const activate = (context: vscode.ExtensionContext): Api => {
  const { version } = context.extension.packageJSON as { version: string };
  const log = createLog();
  const loom = begin(context, log, version);
  const { engine } = loom;
  const services = loom.house.services as Window['services'];
  const calls = audience<Caller>();
  const { host, provider } = serve(loom, context, version, calls.tell);
  close = closing(host, loom);
  const session = (): Promise<string> => services.drawer.session({ client: 'vscode', root: workspaceRoot() });
  const problems = watchProblems({ engine, storage: services.storage, secrets: context.secrets, log });
  const views = registerViews({ context, log, services, engine, session });
  const drawer = join(context.globalStorageUri.fsPath, 'drawer');
  const { openPanel } = views;
  const onCall = calls.add;
  const window: Window = {
    context,
    programs,
    drawer,
    log,
    services,
    engine,
    host,
    session,
    problems,
    onCall,
    openPanel,
  };
  const begun = Object.values(rooms).map((room) => room.begin(window));
  const commands = Object.assign({}, ...begun.map(({ run }) => run)) as Record<string, () => unknown>;
  context.subscriptions.push(
    log,
    watchSettings(log),
    provider,
    problems,
    views,
    ...begun.flatMap(({ held = [] }) => held),
    registerCommands(commands, log, problems.show),
  );
  return { endpoint: async () => host.then(({ url, headers }) => ({ url, headers })) };
};

/** VS Code waits for this: running calls and the drawer end in order. */
export const deactivate = (): Promise<void> | undefined => close?.();
