/** Where a program writes what a person debugging it wants to read. Never content of the drawer. */
export type Log = {
  debug: (message: string) => void;
  info: (message: string) => void;
  warn: (message: string) => void;
  error: (message: string, error?: unknown) => void;
};

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type LogLevel = (typeof levels)[number];

const detail = (error: unknown): string[] => {
  if (error === undefined) return [];
  return [error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)];
};

/** A log of another thread: `tell` hands on each message, an error's stack behind it. */
export const relayLog = (tell: (level: keyof Log, message: string) => void): Log => {
  const at =
    (level: keyof Log) =>
    (message: string, error?: unknown): void =>
      tell(level, [message, ...detail(error)].join(' '));
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
};

/** A log of lines for `write` (stderr, say) from `level` upwards. An error's stack goes with it. */
export const lineLog = (write: (line: string) => void, level: LogLevel): Log => {
  const at =
    (own: LogLevel) =>
    (message: string, error?: unknown): void => {
      if (levels.indexOf(own) < levels.indexOf(level)) return;
      write(`${[new Date().toISOString(), own, message, ...detail(error)].join(' ')}\n`);
    };
  return { debug: at('DEBUG'), info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
};

/** `text` as a level, or INFO where it names none. */
export const logLevel = (text: string | undefined): LogLevel =>
  levels.find((level) => level === text?.toUpperCase()) ?? 'INFO';
