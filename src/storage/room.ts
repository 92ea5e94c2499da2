// The storage: the drawer's file, who owns it, how it lies on disk.
import { homedir } from 'node:os';
import { z } from 'zod';
import type { ErrorTable } from '#base/errors.ts';
import type { Client } from '#base/rpc.ts';
import { forms, type SettingTable } from '#base/settings.ts';
import type { FolderService, StorageService } from './types.ts';

export const storageErrors = {
  DRAWER_FULL: {
    category: 'limit',
    retryable: false,
    cause: 'The drawer has reached its size cap.',
    fix: 'Purge what is not needed, or raise loom.drawer.maxSizeMB.',
  },
  DRAWER_CORRUPT: {
    category: 'state',
    retryable: false,
    cause: "The drawer's file is damaged.",
    fix: 'Nothing was dropped: keep the folder, and restore it from a copy or move it away to start a new drawer.',
  },
  DRAWER_NEWER: {
    category: 'state',
    retryable: false,
    cause: 'The drawer was written by a newer version of Loom.',
    fix: 'Update Loom, or reload the window if it was just updated.',
  },
  DRAWER_FOREIGN: {
    category: 'state',
    retryable: false,
    cause:
      'The last program that held the drawer ran on another machine, and nobody here can tell whether it still runs.',
    fix: 'Close Loom on that machine; if that machine is off or gone, run `loom unlock` or confirm the unlock in VS Code.',
  },
  DRAWER_KEY: {
    category: 'permission',
    retryable: false,
    cause: 'The drawer is sealed, and none of the keys at hand opens it.',
    fix: 'Give the passphrase (LOOM_DB_PASSWORD) or the recovery key. Nothing was changed.',
  },
  DRAWER_PLAIN: {
    category: 'permission',
    retryable: false,
    cause: 'This program was started with a passphrase (LOOM_DB_PASSWORD), and the drawer is not sealed.',
    fix: 'A person seals it with `loom seal` under the same LOOM_DB_PASSWORD, or starts this program without it.',
  },
  DRAWER_PROTOCOL: {
    category: 'state',
    retryable: false,
    cause: 'The program that holds the drawer speaks another version of the protocol.',
    fix: 'Reload this window, or update the Loom that this client starts.',
  },
  DRAWER_NETWORK: {
    category: 'permission',
    retryable: false,
    cause: "The drawer's folder lies on a network file system, whose caches would break the drawer.",
    fix: 'Put the drawer on a local disk: set LOOM_DB to a folder there.',
  },
  DRAWER_UNREADABLE: {
    category: 'permission',
    retryable: false,
    cause: 'The user that this program runs as may not read the drawer: mostly it is another user’s.',
    fix: 'Set LOOM_DB to a folder of your own, or hand the folder over to this user (chown -R). Nothing was changed.',
  },
  DRAWER_UNWRITABLE: {
    category: 'state',
    retryable: true,
    cause: "The drawer's disk is full, read-only or failing; the write was undone.",
    fix: 'Free space on that disk or make the folder writable, then call again. Reading goes on.',
  },
  DRAWER_CLOSED: {
    category: 'state',
    retryable: false,
    cause: 'The drawer was closed in this program.',
    fix: 'Open it again; a write that was on its way may have been applied.',
  },
  WRITE_UNKNOWN: {
    category: 'state',
    retryable: false,
    cause: 'A write was sent again so late that nobody can tell any more whether it was applied.',
    fix: 'Look whether its effect is there before writing it again.',
  },
} as const satisfies ErrorTable;

export const storageSettings = {
  folder: {
    schema: z.string(),
    default: '',
    variable: {
      name: 'LOOM_DB',
      meaning: "the drawer's folder",
      form: forms.text,
      otherwise: 'LOOM_HOME/drawer',
      path: true,
    },
  },
  home: {
    schema: z.string(),
    default: `${homedir()}/.loom`,
    variable: {
      name: 'LOOM_HOME',
      meaning: 'where Loom keeps its folders',
      form: forms.text,
      otherwise: '~/.loom',
      path: true,
    },
  },
  passphrase: {
    schema: z.string(),
    default: '',
    variable: {
      name: 'LOOM_DB_PASSWORD',
      meaning: 'passphrase of a sealed drawer: a new one is sealed with it, a plain one refused (loom seal)',
      form: forms.text,
      otherwise: 'none',
      secret: true,
    },
  },
  encryption: {
    schema: z.enum(['off', 'secretStorage', 'passphrase']),
    default: 'off',
    editor: {
      scope: 'application',
      description:
        'How the drawer lies on disk. Encrypted, everything is: content, search index, journal, exports excepted. A change is carried out at once, both ways; a recovery key is shown once.',
      enumDescriptions: [
        'As a plain SQLite file and journal, readable by you alone.',
        'AES-256-GCM under a key in VS Code’s secret storage (the system’s keyring).',
        'AES-256-GCM under a passphrase; other programs open it with `LOOM_DB_PASSWORD`.',
      ],
    },
  },
} as const satisfies SettingTable;

declare module '#base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof storageErrors, true> {}
}
declare module '#base/room.ts' {
  interface Services {
    storage: Client<StorageService & FolderService>;
  }
}
