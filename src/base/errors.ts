// Refusals: what a call is answered with that was not done, by code.
/** What a code says to whoever meets it: docs/errors.md is generated from these tables. */
export type ErrorKind = {
  category: 'input' | 'state' | 'limit' | 'permission' | 'internal';
  /** The same call may pass later. */
  retryable: boolean;
  cause: string;
  fix: string;
};
export type ErrorTable = Readonly<Record<string, ErrorKind>>;

/** The codes that every room may use. */
export const baseErrors = {
  INVALID_ARGUMENTS: {
    category: 'input',
    retryable: false,
    cause: 'An argument is missing, unknown, or of the wrong form.',
    fix: 'Call again as the example in the answer shows.',
  },
  NOT_FOUND: {
    category: 'input',
    retryable: false,
    cause: 'The id was never given out, or what it named was purged.',
    fix: 'Search the drawer with ctx_search, or store the content again.',
  },
  TOO_LARGE: {
    category: 'limit',
    retryable: false,
    cause: 'The content, a request body or a list is over its limit.',
    fix: 'Send less at a time; store large content by file with ctx_store_file.',
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
  INVALID_QUERY: {
    category: 'input',
    retryable: false,
    cause: 'The pattern does not compile, or takes too long.',
    fix: 'Correct the pattern, or set query_mode to "literal".',
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
  INTERNAL: {
    category: 'internal',
    retryable: false,
    cause: 'A fault in Loom.',
    fix: 'The log (Loom: Show Log) has the request id and the details.',
  },
} as const satisfies ErrorTable;

/** Every code that a refusal can carry: a room adds those of its own table in its room.ts. */
export interface ErrorCodes extends Record<keyof typeof baseErrors, true> {}
export type ErrorCode = keyof ErrorCodes;

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
