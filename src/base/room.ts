// What a room is to the rest of the house: the parts that it may have. Types only; see docs/architecture.md.
import type { MessagePort } from 'node:worker_threads';
import type { Disposable } from './disposable.ts';
import type { ErrorTable } from './errors.ts';
import type { Log } from './log.ts';
import type { Call, Operations } from './operation.ts';
import type { Send, Service } from './rpc.ts';
import type { ReadSettings, SettingTable } from './settings.ts';
import type { Look, Mend, Migration, SqlFunction, Tx } from './tx.ts';

/**
 * What tools, verbs, views and routes are given, by name: they say in `needs` which of it they use. A room adds what it
 * offers to other rooms in its room.ts: `declare module '#base/room.ts' { interface Services { drawer: … } }`.
 */
export interface Services {
  workspace: Workspace;
  settings: ReadSettings;
}
export type Need = keyof Services;

/** The folder that a client works in, as its program knows it. */
export type Workspace = {
  /** Names the session; empty where no folder is open. */
  root: () => string;
  /** Folders that tools may read, the workspace's first. */
  readable: () => readonly string[];
  /** The only folder that commands may write in; undefined where none is open. */
  writable: () => string | undefined;
  /** Whether a person has trusted it to have code run for it. */
  trusted: () => boolean;
};

/** What rooms of the engine's worker offer each other: a room adds its own in its room.ts. */
export interface Inside {
  store: DrawerFile;
}

/** The drawer's file, as the rooms in the engine see it. */
export type DrawerFile = {
  /** Its folder: rooms may keep files of their own in folders of it. */
  folder: string;
  /** Bytes in use, and the most there may be. */
  size: () => Promise<{ imageBytes: number; maxBytes: number }>;
  /** Leaves nothing on disk that is older than what the drawer holds now. */
  forgetOld: () => Promise<void>;
  /** Gives free space back; sizes before and after. */
  compact: () => Promise<{ before: number; after: number }>;
};

/** How a room begins in the engine's worker: what the worker has, and what the rooms that it needs offer there by name. */
export type EngineDeps<O extends Operations, N extends keyof Inside = never> = {
  call: Call<O>;
  log: Log;
  settings: ReadSettings;
  /** The folder of Loom's programs. */
  programs: string;
  /** Has every room take away what sessions that are gone left outside of the drawer's file. */
  tidy: () => Promise<void>;
} & Pick<Inside, N | 'store'>;

/** What a room's operations are given: what the rooms that it needs do within an operation of another room. */
export type OperationDeps<N extends keyof Inside = never> = {
  /** Tells every room, within this transaction, that these sessions hold nothing any more. Milliseconds since 1970. */
  endSessions: (tx: Tx, sessions: readonly string[], now: number) => void;
} & { [K in N]: Inside[K] extends { within: infer W } ? W : never };

/** A room in the engine's worker, once it runs. */
export type EngineRunning = {
  /** Answered to the programs around the engine, as `room.method`. */
  service: Service;
  /** Given to the rooms that need this one, besides its service. */
  inside?: object;
  tidy?: () => Promise<void>;
  close?: () => Promise<void>;
};

/** The part of a room that runs in the engine's worker (engine.ts). */
export type EnginePart = {
  /** Numbered from 1 in their order; only ever appended to. */
  migrations?: readonly Migration[];
  functions?: readonly SqlFunction[];
  mend?: Mend;
  look?: Look;
  /** Without state: given to the operations of the rooms that need this one. */
  within?: object;
  operations?: (deps: never) => Operations;
  /** Operations that run at the cap too: what frees space, what finishes something accepted, small records. */
  uncapped?: readonly string[];
  /** Takes away what this room holds of sessions, in the transaction that ends them. Milliseconds since 1970. */
  sessionsEnded?: (tx: Tx, sessions: readonly string[], now: number) => void;
  create: (deps: never) => EngineRunning;
};

/** How a room begins in the program around the engine (host.ts): where it has workers, doors or state of its own. */
export type HostDeps<N extends Need = never> = {
  /** The folder of Loom's programs; `src` where they are not bundled. */
  programs: string;
  /** The drawer's folder. */
  folder: string;
  log: Log;
  onSettings: (listener: () => void) => Disposable;
  /** Calls of the room's own service in the engine. */
  engine: Send;
  /** A port of the room's own into the engine, for a worker of its; it closes when the engine ends. */
  openPort: () => Promise<MessagePort>;
} & Pick<Services, N | 'workspace' | 'settings'>;

export type HostRunning = { service: object; close?: () => Promise<void> };
export type HostPart = (deps: never) => HostRunning;

/** Words of a toolset for the person who chooses one. */
export type ToolsetWords = { description: string };

/** A room: its name, and what of the following it has (parts.ts). */
export type Room = {
  name: string;
  /** Rooms that it needs: they begin before it and end after it. */
  needs?: readonly string[];
  errors?: ErrorTable;
  settings?: SettingTable;
  /** Its tools can be listed apart, under the room's name. */
  toolset?: ToolsetWords;
  engine?: () => Promise<{ engine: EnginePart }>;
  host?: HostPart;
  /** Programs that it starts: their names, and their entry files in `src`. */
  programs?: Readonly<Record<string, string>>;
};
