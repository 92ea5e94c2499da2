/** What the storage's service takes and answers. It imports nothing of this room, so that every file may import it. */

type Nothing = Record<string, never>;

/** How the drawer is to lie on disk. */
export type Sealing =
  | { kind: 'off' }
  /** `secret` is kept in VS Code's SecretStorage; make it with `newSecret`. */
  | { kind: 'secretStorage'; secret: string }
  | { kind: 'passphrase'; passphrase: string };

/** What the caller has to open a sealed drawer with. */
export type Keys = {
  secret?: string | undefined;
  passphrase?: string | undefined;
  recoveryKey?: string | undefined;
  /**
   * Said by a program that was started with a passphrase for the drawer: a new drawer is sealed with it, and one that lies
   * open is refused. `recoveryKey`: the new drawer gets one, for somebody will be told it.
   */
  onlySealed?: { recoveryKey: boolean };
};

export type OwnerHealth = {
  /** The drawer's; empty in a view. */
  id: string;
  epoch: number;
  writes: number;
  imageBytes: number;
  maxBytes: number;
  journalBytes: number;
  clients: number;
  sealed: Sealing['kind'];
  lastCheckpoint: number | undefined;
  lastError: string | undefined;
  warnings: string[];
  /** The longest that one batch held the thread, in milliseconds. */
  longestTurn: number;
};

/** `view`: nobody can own the drawer, and what is readable is open for reading only. */
export type StoreRole = 'owner' | 'client' | 'view';

export type StoreHealth = OwnerHealth & {
  folder: string;
  role: StoreRole;
  /** At least 80 % of the cap is in use. */
  nearlyFull: boolean;
  /** In a view: why it is one. */
  problem: string | undefined;
  /** In a view: what of the drawer is not in it. */
  missing: string[];
};

/** Sizes of the drawer's file in bytes. */
export type Compacted = { before: number; after: number };
/** The recovery key is for a person, once; undefined where the drawer lies open now. */
export type Resealed = { recoveryKey: string | undefined };

/** What the storage itself does for a member, wherever the drawer is owned. */
export type Admin = {
  health: { args: undefined; answer: OwnerHealth };
  /** `alone`: nothing older than the new snapshot stays on disk. */
  checkpoint: { args: { alone: boolean }; answer: undefined };
  seal: { args: { sealing: Sealing }; answer: Resealed };
  /** Gives the free pages back. */
  compact: { args: undefined; answer: Compacted };
  export: { args: { file: string }; answer: { bytes: number } };
};
export type AdminName = keyof Admin;

/** What the doctor found. `fix` is there wherever something should be done. */
export type Finding = { level: 'ok' | 'warning' | 'error'; what: string; fix?: string };

export type Repaired = {
  /** What the drawer has lost, in words. */
  missing: string[];
  /** Where the damaged files are now. */
  aside: string;
};

export type Unlocked = { host: string; epoch: number };

/** What the drawer's file offers to the programs around it. */
export type StorageService = {
  health: (args: Nothing) => Promise<StoreHealth>;
  /** Writes a plain SQLite file; `missing` says what of a damaged drawer is not in it. */
  exportTo: (args: { file: string }) => Promise<{ bytes: number; missing: string[] }>;
  /** Seals the drawer anew, or opens it. */
  seal: (args: { sealing: Sealing }) => Promise<Resealed>;
};

/** What works on the drawer's folder without opening it. */
export type FolderService = {
  /** What may open a sealed drawer, from the next try on. */
  setKeys: (args: { keys: Keys }) => void;
  diagnose: (args: Nothing) => Promise<Finding[]>;
  repair: (args: Nothing) => Promise<Repaired>;
  /** How the drawer lies on disk. Throws `DRAWER_KEY` where none of the keys opens it. */
  sealing: (args: Nothing) => Promise<Sealing['kind']>;
  /** A person says that an owner on another machine is gone. */
  unlock: (args: { force: boolean }) => Unlocked;
};
