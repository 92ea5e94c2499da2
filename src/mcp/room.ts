// The protocol's own settings and refusals: what is listed, who may call, how often.
import { z } from 'zod';
import type { ErrorTable } from '#base/errors.ts';
import { forms, type Form, type SettingTable } from '#base/settings.ts';
import { defaultRate } from './call/rateLimit.ts';
import { authModes } from './http/admission.ts';
import { schemaProfileNames } from './listing/listing.ts';
import { joinable, toolsetNamed, type Roster } from './listing/toolsets.ts';

export const mcpErrors = {
  UNKNOWN_ARGUMENT: {
    category: 'input',
    retryable: false,
    cause: 'A call that changes something has an argument that looks like a slip for another one.',
    fix: 'Nothing was done. Call again with the argument that the answer names, or without it.',
  },
  UNKNOWN_TOOL: {
    category: 'input',
    retryable: false,
    cause: 'No tool has this name.',
    fix: 'Use one of the names that the answer offers.',
  },
  NOT_LISTED: {
    category: 'permission',
    retryable: false,
    cause:
      'The tool changes something, and this connection does not list it: a client asks its person by listed names.',
    fix: 'Call it as the answer says, or let a person choose a toolset that lists it (loom.toolset, LOOM_MCP_TOOLSET).',
  },
  NOT_ROUTED: {
    category: 'permission',
    retryable: false,
    cause:
      'loom_op or loom_op_write was asked for a tool that runs only under its own name, or through the other of the two.',
    fix: 'Call the tool as the answer says.',
  },
  KEY_REUSED: {
    category: 'input',
    retryable: false,
    cause: 'The idempotency key came before, with other arguments.',
    fix: 'Nothing was done. Use a new key for a new call.',
  },
  RATE_LIMITED: {
    category: 'limit',
    retryable: true,
    cause: 'This client made more calls than a session may (LOOM_RPM a minute, LOOM_BURST at once).',
    fix: 'Wait for the seconds that the answer states, and ask for more in one call.',
  },
  UNTRUSTED_WORKSPACE: {
    category: 'permission',
    retryable: false,
    cause: 'The workspace is not trusted, so nothing may be executed for it.',
    fix: 'Reading and storing go on. A person can trust it (Workspaces: Manage Workspace Trust); then call again.',
  },
  LISTEN_FAILED: {
    category: 'state',
    retryable: false,
    cause: 'The address that `loom serve` was to listen on is taken or not there.',
    fix: 'Choose another --port, or 0 for a free one.',
  },
  INSECURE_HOST: {
    category: 'permission',
    retryable: false,
    cause: '`loom serve` was asked to run without a token on an address that others reach.',
    fix: 'Leave LOOM_MCP_AUTH_MODE at required, listen on 127.0.0.1, or set LOOM_ALLOW_INSECURE=1.',
  },
} as const satisfies ErrorTable;

/** An unknown name gives whatever stands in for it. */
const isToolset = (rosters: readonly Roster[], name: string): boolean =>
  toolsetNamed(rosters, name, 'all') === toolsetNamed(rosters, name, 'core');

const toolsetForm = (rosters: readonly Roster[]): Form<string> => ({
  expected: `${[...rosters.map(({ name }) => name), 'readonly', 'all'].join(', ')}, or several joined by +`,
  read: (text) => (isToolset(rosters, text) ? toolsetNamed(rosters, text) : undefined),
});

/** Which tools are listed: one roster, several, what only reads, or all. */
export const toolsetSetting = (rosters: readonly Roster[]) => {
  const names = rosters.map(({ name }) => name);
  const pairs = joinable(names);
  const first = `Give ${names.join(', ')}, readonly or all; the first ${words[names.length] ?? names.length} can be joined, as in core+ledger.`;
  return {
    toolset: {
      schema: z
        .string()
        .refine((name) => isToolset(rosters, name), first)
        .transform((name) => toolsetNamed(rosters, name)),
      default: 'core',
      editor: {
        scope: 'window',
        description:
          'Which of Loom’s tools are listed to the agent. Every listed tool is paid for on each turn; the agent calls the others through `loom_op` and `loom_op_write`, but for those that delete or run code.',
        enum: [...names, ...pairs, 'readonly', 'all'],
        enumDescriptions: [
          ...rosters.map(({ description }) => description),
          ...pairs.map(() => 'The tools of both.'),
          'Every tool that only reads, or adds to Loom’s own drawer.',
          'Every tool.',
        ],
      },
      variable: { name: 'LOOM_MCP_TOOLSET', meaning: 'which tools are listed', form: toolsetForm(rosters) },
    },
  } as const satisfies SettingTable;
};
const words: Record<number, string> = { 2: 'two', 3: 'three', 4: 'four', 5: 'five', 6: 'six', 7: 'seven', 8: 'eight' };

const token: Form<string> = {
  expected: 'at least 16 printable characters without spaces',
  read: (value) => (/^[\x21-\x7e]{16,}$/.test(value) ? value : undefined),
};

export const mcpSettings = {
  allowedDirs: {
    schema: z.array(z.string()),
    default: [],
    editor: {
      scope: 'machine',
      description:
        'Folders outside the workspace whose files `ctx_store_file` may read. Absolute paths; symbolic links are resolved first.',
      restricted: true,
    },
    variable: {
      name: 'LOOM_ALLOWED_DIRS',
      meaning: 'further folders that tools may read, separated as in PATH',
      form: forms.folders,
      otherwise: 'none: the working folder alone',
    },
  },
  schemaProfile: {
    schema: z.enum(schemaProfileNames),
    default: 'standard',
    variable: {
      name: 'LOOM_MCP_SCHEMA_PROFILE',
      meaning: 'how much of each tool is listed; full adds output schemas',
      form: forms.oneOf(schemaProfileNames),
    },
  },
  'rate.limited': {
    schema: z.boolean(),
    default: true,
    variable: {
      name: 'LOOM_RATE_LIMIT',
      meaning: 'limit the calls of a session and of a client',
      form: forms.flag,
      otherwise: '1',
    },
  },
  'rate.rpm': {
    schema: z.number().positive(),
    default: defaultRate.rpm,
    variable: { name: 'LOOM_RPM', meaning: 'calls a minute under that limit', form: forms.positive },
  },
  'rate.burst': {
    schema: z.number().positive(),
    default: defaultRate.burst,
    variable: { name: 'LOOM_BURST', meaning: 'calls at once under that limit', form: forms.positive },
  },
  'serve.authMode': {
    schema: z.enum(authModes),
    default: 'required',
    variable: {
      name: 'LOOM_MCP_AUTH_MODE',
      meaning: 'loom serve: what needs the token. required: everything; discovery_only: calls; open: nothing',
      form: forms.oneOf(authModes),
    },
  },
  'serve.token': {
    schema: z.string(),
    default: '',
    variable: {
      name: 'LOOM_TOKEN',
      meaning: 'loom serve: the token that clients send',
      form: token,
      otherwise: 'made at each start and shown once',
      secret: true,
    },
  },
  'serve.readonlyToken': {
    schema: z.string(),
    default: '',
    variable: {
      name: 'LOOM_TOKEN_READONLY',
      meaning: 'loom serve: a second token, whose holder only reads, whatever the URL says',
      form: token,
      otherwise: 'none',
      secret: true,
    },
  },
  'serve.allowInsecure': {
    schema: z.boolean(),
    default: false,
    variable: {
      name: 'LOOM_ALLOW_INSECURE',
      meaning: 'loom serve: allow open on a host that others can reach',
      form: forms.flag,
      otherwise: '0',
    },
  },
} as const satisfies SettingTable;

declare module '#base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof mcpErrors, true> {}
}
