// The drawer: documents kept byte for byte, their anchors, search, sessions.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { ErrorTable } from '#base/errors.ts';
import type { Client } from '#base/rpc.ts';
import { forms, type SettingTable } from '#base/settings.ts';
import { defaultPolicy, type DrawerPolicy } from './policy.ts';
import type { DrawerService } from './types.ts';

export const drawerErrors = {
  OTHER_SESSION: {
    category: 'permission',
    retryable: false,
    cause: 'The id belongs to another session; content does not cross sessions by itself.',
    fix: 'Bring a copy over with the ctx_transfer call that the answer shows.',
  },
  OUT_OF_RANGE: {
    category: 'input',
    retryable: false,
    cause: 'The lines or bytes asked for lie outside the document.',
    fix: 'Ask for a range inside the one that the answer states.',
  },
  UNPROVEN: {
    category: 'internal',
    retryable: true,
    cause: 'What was about to be stored could not be proven to hold every byte and every invariant of the content.',
    fix: 'Nothing was kept. Call again; if it fails again, report it with the kind of content.',
  },
  COMMANDS_OFF: {
    category: 'permission',
    retryable: false,
    cause: 'Running commands is switched off, or no folder is open for them.',
    fix: 'A person switches it on: loom.storeCmd.enabled in VS Code, LOOM_STORE_CMD=1 elsewhere.',
  },
  NO_SANDBOX: {
    category: 'state',
    retryable: false,
    cause: 'There is no sandbox on this machine or it did not start, and no command runs without one.',
    fix: 'Install or mend what the answer names (on Linux bubblewrap), then call again.',
  },
} as const satisfies ErrorTable;

/** A path from `~` as an absolute one. */
const atHome = (path: string): string => (/^~(?=[\\/]|$)/.test(path) ? join(homedir(), path.slice(1)) : path);

const whenFull = ['evict', 'refuse'] as const satisfies readonly DrawerPolicy['whenFull'][];

export const drawerSettings = {
  'drawer.ttlDays': {
    schema: z.number().positive(),
    default: defaultPolicy.ttlDays,
    editor: {
      scope: 'machine',
      description: 'Days without use after which a session and all it holds are purged.',
    },
    variable: {
      name: 'LOOM_TTL_DAYS',
      meaning: 'days without use after which a session expires',
      form: forms.positive,
    },
  },
  'drawer.maxSizeMB': {
    schema: z.number().min(1).max(1_000),
    default: defaultPolicy.maxSizeMB,
    editor: {
      scope: 'machine',
      description: 'The drawer’s cap in MB. It is kept in memory: more than 200 costs much of it.',
    },
    variable: { name: 'LOOM_MAX_MB', meaning: "the drawer's cap in MB", form: forms.positive },
  },
  'drawer.whenFull': {
    schema: z.enum(whenFull),
    default: defaultPolicy.whenFull,
    editor: {
      scope: 'machine',
      description: 'What happens at the cap.',
      enumDescriptions: [
        'Expired sessions go, then the oldest documents that are not marked keep. Whoever asks for such an id is told that it went, and when.',
        'Nothing goes; nothing more is stored.',
      ],
    },
    variable: {
      name: 'LOOM_WHEN_FULL',
      meaning: 'at the cap: evict old documents, or refuse new ones',
      form: forms.oneOf(whenFull),
    },
  },
  'storeCmd.enabled': {
    schema: z.boolean(),
    default: false,
    editor: {
      scope: 'machine',
      description:
        'Lets `ctx_store_cmd` run commands in a trusted workspace, each confirmed by you and in a sandbox that writes only in the workspace, has no network, and sees nothing of your home but toolchains and caches.',
      restricted: true,
    },
    variable: {
      name: 'LOOM_STORE_CMD',
      meaning: 'let ctx_store_cmd run commands, in a sandbox',
      form: forms.flag,
      otherwise: '0',
    },
  },
  'storeCmd.readable': {
    schema: z.array(z.string()).transform((paths) => paths.map(atHome)),
    default: [],
    editor: {
      scope: 'machine',
      description:
        'Files and folders that commands of `ctx_store_cmd` may read although they lie in your home or where else the sandbox hides things: `~/.gitconfig`, `~/work/library`. Absolute paths, or from `~`.',
      restricted: true,
    },
    variable: {
      name: 'LOOM_STORE_CMD_READABLE',
      meaning: 'files and folders that commands may read although the sandbox hides them, separated as in PATH',
      form: forms.folders,
      otherwise: 'toolchains and caches alone',
    },
  },
  'storeCmd.environment': {
    schema: z.array(z.string()),
    default: [],
    editor: {
      scope: 'machine',
      description:
        'Names of environment variables that commands of `ctx_store_cmd` get besides PATH, HOME, LANG, LC_*, TERM, TMPDIR, USER and SHELL: `JAVA_HOME`, `CI`.',
      restricted: true,
    },
    variable: {
      name: 'LOOM_STORE_CMD_ENV',
      meaning: 'names of variables that commands get besides PATH, HOME, LANG and their like, separated by commas',
      form: forms.names,
      otherwise: 'none',
    },
  },
} as const satisfies SettingTable;

declare module '#base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof drawerErrors, true> {}
}
declare module '#base/room.ts' {
  interface Services {
    drawer: Client<DrawerService>;
  }
  interface Inside {
    drawer: DrawerService;
  }
}
