// `loom` itself: its log, what its own verbs are given, and the configuration of other clients.
import { z } from 'zod';
import type { ErrorTable } from '#base/errors.ts';
import { levels } from '#base/log.ts';
import { forms, type SettingTable } from '#base/settings.ts';
import type { House } from '#mcp/call/call.ts';
import type { Route } from '#mcp/http/route.ts';

export const cliErrors = {
  CLIENT_FILE: {
    category: 'state',
    retryable: false,
    cause: "A client's configuration file cannot be read, or holds something else where Loom's entry belongs.",
    fix: 'Correct the file, or paste what `loom client` prints. Nothing was changed.',
  },
} as const satisfies ErrorTable;

export const cliSettings = {
  logLevel: {
    schema: z.enum(levels),
    default: 'INFO',
    variable: { name: 'LOOM_LOG_LEVEL', meaning: 'what is written to stderr, and more', form: forms.oneOf(levels) },
  },
} as const satisfies SettingTable;

/** The program that a verb runs in. */
export type Program = {
  /** The folder of Loom's programs. */
  programs: string;
  env: NodeJS.ProcessEnv;
  /** The drawer's folder. */
  folder: string;
  /** Loom's version. */
  version: string;
  house: House;
  routes: readonly Route[];
};

declare module '#base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof cliErrors, true> {}
}
declare module '#base/room.ts' {
  interface Services {
    program: Program;
  }
}
