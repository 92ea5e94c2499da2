type Category = 'input' | 'state' | 'limit' | 'permission' | 'internal';
type Kind = { category: Category; retryable: boolean; cause: string; fix: string };

/** Every code that a refusal can carry. docs/errors.md is generated from this table. */
export const errorKinds = {
  INVALID_ARGUMENTS: {
    category: 'input',
    retryable: false,
    cause: 'An argument is missing, unknown, or of the wrong form.',
    fix: 'Call again as the example in the answer shows.',
  },
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
  NOT_FOUND: {
    category: 'input',
    retryable: false,
    cause: 'The id was never given out, or what it named was purged.',
    fix: 'Search the drawer with ctx_search, or store the content again.',
  },
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
  COMMANDS_OFF: {
    category: 'permission',
    retryable: false,
    cause: 'Running commands is switched off, or no folder is open for them.',
    fix: 'A person switches it on: loom.storeCmd.enabled in VS Code, LOOM_STORE_CMD=1 elsewhere.',
  },
  NO_SANDBOX: {
    category: 'state',
    retryable: false,
    cause: 'There is no sandbox on this machine, and no command runs without one.',
    fix: 'Install what the answer names (on Linux bubblewrap, socat and ripgrep), then call again.',
  },
  FILE_REFUSED: {
    category: 'permission',
    retryable: false,
    cause: 'The file lies outside the folders that Loom may read.',
    fix: 'Name a file inside the workspace, or add its folder to loom.allowedDirs (LOOM_ALLOWED_DIRS).',
  },
  FILE_UNREADABLE: {
    category: 'input',
    retryable: false,
    cause: 'The file is missing, is no regular file, or cannot be read.',
    fix: 'Check the path.',
  },
  FILE_CHANGED: {
    category: 'state',
    retryable: true,
    cause: 'The file kept changing while it was read.',
    fix: 'Call again when the program that writes it has finished.',
  },
  TOO_LARGE: {
    category: 'limit',
    retryable: false,
    cause: 'The content, a request body or a list is over its limit.',
    fix: 'Send less at a time; store large content by file with ctx_store_file.',
  },
  UNPROVEN: {
    category: 'internal',
    retryable: true,
    cause: 'What was about to be stored could not be proven to hold every byte and every invariant of the content.',
    fix: 'Nothing was kept. Call again; if it fails again, report it with the kind of content.',
  },
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
  KERNEL_BUSY: {
    category: 'state',
    retryable: true,
    cause: 'A cell is running; one runs at a time and nothing is queued.',
    fix: 'Wait for it with wait_python, or stop it with interrupt_python or reset_python.',
  },
  KERNEL_START_FAILED: {
    category: 'state',
    retryable: true,
    cause: 'No Python could be started.',
    fix: 'Do what the answer says; loom.kernel.python and loom.kernel.backend choose what is started.',
  },
  EXECUTION_NOT_FOUND: {
    category: 'input',
    retryable: false,
    cause: 'No cell of this session has this number.',
    fix: 'Leave "execution" out for the latest cell.',
  },
  OUTPUT_GONE: {
    category: 'state',
    retryable: false,
    cause: 'The output was removed to make room for newer ones.',
    fix: 'Run the cell again if its output is still needed.',
  },
  INVALID_DIRECTIVE: {
    category: 'input',
    retryable: false,
    cause: 'A directive in a comment of the cell is not well formed.',
    fix: 'Use the arguments timeout_seconds and full_output instead.',
  },
  INVALID_QUERY: {
    category: 'input',
    retryable: false,
    cause: 'The pattern does not compile, or takes too long.',
    fix: 'Correct the pattern, or set query_mode to "literal".',
  },
  UNTRUSTED_WORKSPACE: {
    category: 'permission',
    retryable: false,
    cause: 'The workspace is not trusted, so nothing may be executed for it.',
    fix: 'Reading and storing go on. A person can trust it (Workspaces: Manage Workspace Trust); then call again.',
  },
  DEADLINE: {
    category: 'limit',
    retryable: true,
    cause: 'The call took longer than its deadline.',
    fix: 'Call again; the answer says what was already done.',
  },
  CANCELLED: {
    category: 'state',
    retryable: true,
    cause: 'The client cancelled the call.',
    fix: 'Call again if the answer is still wanted.',
  },
  ENGINE_GONE: {
    category: 'internal',
    retryable: true,
    cause: "Loom's worker ended while the call ran.",
    fix: 'Call again: a new worker is started.',
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
  CLIENT_FILE: {
    category: 'state',
    retryable: false,
    cause: "A client's configuration file cannot be read, or holds something else where Loom's entry belongs.",
    fix: 'Correct the file, or paste what `loom client` prints. Nothing was changed.',
  },
  INTERNAL: {
    category: 'internal',
    retryable: false,
    cause: 'A fault in Loom.',
    fix: 'The log (Loom: Show Log) has the request id and the details.',
  },
} as const satisfies Record<string, Kind>;

export type ErrorCode = keyof typeof errorKinds;

export type LoomErrorOptions = ErrorOptions & {
  maybeApplied?: boolean;
  retryAfterS?: number;
  details?: Readonly<Record<string, unknown>>;
};

/** A refusal. `message` names the fault in words for a person or a model, and ends with the way out. */
export class LoomError extends Error {
  readonly code: ErrorCode;
  /** True where the call was given up while its write may still have been, or may yet be, applied. */
  readonly maybeApplied: boolean;
  /** Seconds after which the call may pass. */
  readonly retryAfterS: number | undefined;
  /** The parts of the message, for a program that reads the refusal. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  constructor(code: ErrorCode, message: string, options: LoomErrorOptions = {}) {
    super(message, options);
    this.name = 'LoomError';
    this.code = code;
    this.maybeApplied = options.maybeApplied ?? false;
    this.retryAfterS = options.retryAfterS;
    this.details = options.details;
  }
}

/** `error` as a refusal: itself where it is one, else `INTERNAL` with the original as its cause. */
export const asLoomError = (error: unknown): LoomError =>
  error instanceof LoomError
    ? error
    : new LoomError('INTERNAL', error instanceof Error ? error.message : String(error), { cause: error });
