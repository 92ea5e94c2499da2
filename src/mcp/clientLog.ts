// The server's log, told to its client too.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '#base/log.ts';

/**
 * A log whose warnings and errors the client gets too, from the level that it asked for: a person who looks at its log sees
 * which request failed. Never an error's stack.
 */
export const clientLog = (server: Server, log: Log): Log => {
  const send = (level: LoggingLevel, data: string): void => {
    if (server.transport === undefined) return;
    server
      .sendLoggingMessage({ level, logger: 'loom', data }, server.transport.sessionId)
      .catch((error: unknown) => log.debug(`a log message was not sent: ${String(error)}`));
  };
  return {
    ...log,
    warn: (message) => {
      log.warn(message);
      send('warning', message);
    },
    error: (message, error) => {
      log.error(message, error);
      send('error', message);
    },
  };
};
