// The engine's half of the composition: the rooms' operations, migrations and hooks on one drawer.
import type { Log } from '#base/log.ts';
import type { Operations } from '#base/operation.ts';
import { orderRooms } from '#base/orderRooms.ts';
import type { DrawerFile, EnginePart, EngineRunning } from '#base/room.ts';
import type { Service } from '#base/rpc.ts';
import type { ReadSettings } from '#base/settings.ts';
import type { Look, Mend, RoomMigrations, SqlFunction, Tx } from '#base/tx.ts';
import { drawerSettings } from '#drawer/room.ts';
import * as rooms from '#rooms.ts';
import { openStore, type Store } from '#storage/store.ts';
import type { Keys } from '#storage/types.ts';

export type OpenRooms = {
  /** The drawer's folder. */
  folder: string;
  /** The folder of Loom's programs. */
  programs: string;
  /** Loom's version, for whoever looks at who owns the drawer. */
  version: string;
  settings: ReadSettings;
  /** What may open a sealed drawer. */
  keys: () => Keys;
  log: Log;
  /** Called with the recovery key of a new drawer, where the keys asked for one: for a person. */
  onRecoveryKey: (key: string) => void;
  onChange: () => void;
};

/** The rooms' services by name, and the store that they share. */
export type OpenedRooms = {
  services: ReadonlyMap<string, Service>;
  store: Store<Operations>;
  close: () => Promise<void>;
};

type Part = EnginePart & { name: string; needs: readonly string[] };

const partsOf = (): Promise<Part[]> =>
  Promise.all(
    orderRooms(Object.values(rooms)).flatMap(({ name, needs = [], engine }) =>
      engine === undefined ? [] : [engine().then(({ engine: part }) => ({ ...part, name, needs }))],
    ),
  );

/** What whoever reads the file by itself needs of the rooms. */
export type RoomsInFile = { migrations: RoomMigrations[]; functions: SqlFunction[]; mend: Mend; look: Look };

const inFile = (parts: readonly Part[]): RoomsInFile => ({
  migrations: parts.flatMap(({ name, migrations }) => (migrations ? [{ room: name, migrations }] : [])),
  functions: parts.flatMap(({ functions = [] }) => functions),
  mend: (tx, found) => parts.flatMap(({ mend }) => mend?.(tx, found) ?? []),
  look: (tx) => parts.flatMap(({ look }) => look?.(tx) ?? []),
});

export const roomsInFile = async (): Promise<RoomsInFile> => inFile(await partsOf());

/** Of the operations and what they mean: [oldest, newest] that this program speaks. */
const protocol: [number, number] = [2, 2];

/** What each of the rooms `needs` has in `from`. */
const offered = (from: ReadonlyMap<string, object | undefined>, needs: readonly string[]): object =>
  Object.fromEntries(needs.map((name) => [name, from.get(name)]));

const openDrawer = (parts: readonly Part[], options: OpenRooms): Promise<Store<Operations>> => {
  const within = new Map(parts.map((part) => [part.name, part.within]));
  const endSessions = (tx: Tx, sessions: readonly string[], now: number): void => {
    for (const { sessionsEnded } of parts) sessionsEnded?.(tx, sessions, now);
  };
  const operations = parts.map((part) => part.operations?.({ endSessions, ...offered(within, part.needs) } as never));
  const { folder, version: app, settings, keys, log, onRecoveryKey, onChange } = options;
  const { migrations, functions, mend } = inFile(parts);
  return openStore<Operations>({
    folder,
    operations: Object.assign({}, ...operations) as Operations,
    migrations,
    functions,
    mend,
    maxBytes: () => settings(drawerSettings)['drawer.maxSizeMB'] * 2 ** 20,
    uncapped: parts.flatMap(({ uncapped = [] }) => uncapped),
    app,
    keys,
    log,
    protocol,
    onRecoveryKey,
    onChange,
  });
};

const fileOf = (store: Store<Operations>, folder: string): DrawerFile => ({
  folder,
  size: async () => {
    const { imageBytes, maxBytes, role } = await store.health();
    // A view has no cap: its owner's is not known, and it refuses every write anyway.
    return { imageBytes, maxBytes: role === 'view' ? Infinity : maxBytes };
  },
  forgetOld: () => store.checkpoint({ alone: true }),
  compact: store.compact,
});

/** Opens the drawer and begins every room on it, those that others need first. */
export const openRooms = async (options: OpenRooms): Promise<OpenedRooms> => {
  const parts = await partsOf();
  const store = await openDrawer(parts, options);
  const running = new Map<string, EngineRunning>();
  const inside = new Map<string, object | undefined>();
  const tidy = async (): Promise<void> => {
    for (const room of running.values()) await room.tidy?.();
  };
  const { log, settings, programs, folder } = options;
  const base = { call: store.call, log, settings, programs, tidy, store: fileOf(store, folder) };
  for (const { name, needs, create } of parts) {
    const room = create({ ...base, ...offered(inside, needs) } as never);
    running.set(name, room);
    inside.set(name, room.inside);
  }
  return {
    store,
    services: new Map([...running].map(([name, { service }]) => [name, service])),
    close: async () => {
      for (const room of [...running.values()].toReversed()) await room.close?.();
      await store.close();
    },
  };
};
