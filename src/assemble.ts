// The one composition: rooms, the engine, the protocol. The window, `loom`, its self-check and every test use it.
import { join } from 'node:path';
import { baseErrors } from '#base/errors.ts';
import type { Disposable } from '#base/disposable.ts';
import type { Log } from '#base/log.ts';
import { maskSettings } from '#base/maskSettings.ts';
import { orderRooms } from '#base/orderRooms.ts';
import type { HostDeps, HostRunning, Services } from '#base/room.ts';
import { clientOf, type Send } from '#base/rpc.ts';
import type { ReadSettings, SettingTable, Snapshot } from '#base/settings.ts';
import type { Ask } from '#base/view.ts';
import { startEngine, type Engine } from '#host/engine.ts';
import type { House } from '#mcp/call/call.ts';
import { openGuards, type GuardsOptions } from '#mcp/call/guards.ts';
import type { RoomParts } from '#mcp/defineRoom.ts';
import type { Route } from '#mcp/http/route.ts';
import { core, type Roster } from '#mcp/listing/toolsets.ts';
import { mcpErrors, mcpSettings, toolsetSetting } from '#mcp/room.ts';
import { activate } from '#mcp/tools/activate.ts';
import { op, opWrite } from '#mcp/tools/op.ts';
import { searchAll } from '#mcp/tools/searchAll.ts';
import * as list from '#rooms.ts';
import type { Keys } from '#storage/types.ts';

const rooms: readonly RoomParts[] = Object.values(list);
const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/** Every tool of Loom, by name. Listings, docs and schemas are derived from this list. */
export const tools = [...rooms.flatMap((room) => room.tools ?? []), activate, op, opWrite, searchAll].toSorted(byName);

export const rosters: readonly Roster[] = [
  core,
  ...rooms.flatMap(({ name, toolset }) => (toolset === undefined ? [] : [{ name, ...toolset }])),
];

export const errors = Object.assign({}, baseErrors, mcpErrors, ...rooms.map((room) => room.errors)) as House['errors'];

/** Every setting of Loom by its key. */
export const settingTable: SettingTable = Object.assign(
  {},
  toolsetSetting(rosters),
  mcpSettings,
  maskSettings,
  ...rooms.map(({ settings }) => settings),
);

export const verbs = rooms.flatMap((room) => room.verbs ?? []);

/** What the views ask, as `room.name`. */
export const asks: ReadonlyMap<string, Ask> = new Map(
  rooms.flatMap(({ name: room, view }) =>
    Object.entries(view?.asks ?? {}).map(([name, ask]) => [`${room}.${name}`, ask] as const),
  ),
);

export type AssembleOptions = {
  /** The folder of Loom's programs; `src` where they are not bundled. */
  programs: string;
  /** The drawer's folder. */
  folder: string;
  /** Loom's version. */
  version: string;
  log: Log;
  settings: ReadSettings;
  /** Calls `listener` when a setting changes; where it is left out, none does. */
  onSettings?: (listener: () => void) => Disposable;
  /** What may open a sealed drawer; asked when the engine starts. */
  keys?: () => Promise<Keys>;
  /** Tells a person the recovery key of a drawer that was sealed when it was made, where the keys asked for one. */
  onRecoveryKey?: (key: string) => void;
  /** Of the program itself: the folder that it works in, and what starts a kernel there. */
  services: Pick<Services, 'workspace' | 'interpreter'>;
  guards?: Partial<GuardsOptions>;
  /** Parts of rooms in place of their own, for tests. */
  replace?: Readonly<Record<string, Partial<RoomParts>>>;
};

export type Loom = {
  house: House;
  engine: Engine;
  /** Paths of the HTTP host besides `/mcp`. */
  routes: readonly Route[];
  /** Sentences behind the server's instructions, as things are now. */
  moreInstructions: () => readonly string[];
  /** Lets running calls, the rooms' workers and the drawer end in order. */
  close: () => Promise<void>;
};

/** The values that the engine's rooms read. Secrets stay with the program that was given them. */
const snapshotOf = (settings: ReadSettings): Snapshot => {
  const told = Object.entries(settingTable).filter(([, { variable }]) => variable?.secret !== true);
  return settings(Object.fromEntries(told));
};

const inRoom =
  (send: Send, room: string): Send =>
  (method, args, call) =>
    send(`${room}.${method}`, args, call);

/** Begins each room's part in this program, those that others need first; the others are reached in the engine. */
const beginRooms = (
  options: AssembleOptions,
  engine: Engine,
  services: Record<string, unknown>,
): { name: string; running: HostRunning }[] => {
  const { programs, folder, log, replace = {}, onSettings = () => ({ dispose: () => undefined }) } = options;
  return orderRooms(rooms).flatMap((given) => {
    const { name, needs = [], host } = { ...given, ...replace[given.name] };
    const send = inRoom(engine.send, name);
    if (host === undefined) {
      services[name] ??= clientOf(send);
      return [];
    }
    const base = { programs, folder, log, onSettings, engine: send, openPort: () => engine.openPort(name) };
    const { workspace, settings } = services;
    const needed = Object.fromEntries(needs.map((need) => [need, services[need]]));
    const running = host({ ...base, ...needed, workspace, settings } as HostDeps as never);
    services[name] = running.service;
    return [{ name, running }];
  });
};

/** Loom over the drawer in `folder`. Nothing runs yet but what was asked for: workers start with their first call. */
export const assemble = (options: AssembleOptions): Loom => {
  const { programs, folder, version, log, settings, keys, onSettings, onRecoveryKey } = options;
  const engine = startEngine(programs, { folder, version, settings: snapshotOf(settings) }, log, keys, onRecoveryKey);
  const services: Record<string, unknown> = { ...options.services, settings };
  const running = beginRooms(options, engine, services);
  const follows = onSettings?.(() => engine.setSettings(snapshotOf(settings)));
  const values = settings(mcpSettings);
  const rate = values['rate.limited'] ? { rpm: values['rate.rpm'], burst: values['rate.burst'] } : undefined;
  const guards = openGuards({ rate, auditFolder: join(folder, 'audit'), log, ...options.guards });
  const house: House = {
    tools,
    rosters,
    overviews: rooms.flatMap(({ overview }) => overview ?? []),
    services: services as House['services'],
    errors,
    guards,
    log,
  };
  return {
    house,
    engine,
    routes: rooms.flatMap((room) => room.routes?.(services as never) ?? []),
    moreInstructions: () => rooms.flatMap((room) => room.instruction?.(services as never) ?? []),
    close: async () => {
      follows?.dispose();
      await guards.close();
      for (const room of running.toReversed()) await room.running.close?.();
      await engine.close();
    },
  };
};
