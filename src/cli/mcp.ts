import { isLoopback } from '#mcp/http/admission.ts';
import { startProgram } from './program.ts';
import { startServe } from '#mcp/http/serve.ts';
import { serveStdio } from '#mcp/stdio.ts';
import { defineCommand, UsageError } from './defineVerb.ts';

export const mcp = defineCommand({
  name: 'mcp',
  summary: "serve MCP on stdin and stdout: what another client's configuration starts",
  more: ['loom client --target T --install puts it into the configuration of a client.'],
  run: async ({ programs, environment, log, interruption }) => {
    const signal = interruption();
    const { options, close } = startProgram(programs, environment, process.cwd(), log);
    try {
      await serveStdio({ ...options, toolset: () => environment.toolset }, signal);
    } finally {
      await close();
    }
    return 0;
  },
});

const port = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new UsageError(`--port ${text} is not a number from 0 to 65535.`);
  return value;
};

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** A fixed one, since clients are configured with it. */
const usualPort = '7410';

export const serve = defineCommand({
  name: 'serve',
  summary: 'serve MCP over HTTP: for clients that connect to an address',
  options: {
    host: { type: 'string', value: 'H', meaning: 'the address to listen on (127.0.0.1)' },
    port: { type: 'string', value: 'P', short: 'p', meaning: `the port, 0 for a free one (${usualPort})` },
  },
  more: [
    `Clients connect to http://127.0.0.1:${usualPort}/mcp with the header Authorization: Bearer <token>. The token is LOOM_TOKEN, or`,
    'made at each start and shown once. In the URL, ?toolset=drawer+kernel chooses the tools that are listed. Tools run code',
    'and read files of the folder it was started in. It ends with Ctrl+C or SIGTERM.',
  ],
  run: async ({
    programs,
    environment,
    log,
    interruption,
    options: { host = '127.0.0.1', port: asked = usualPort },
    note,
  }) => {
    // Before anything is started: a signal that comes early must not leave it behind.
    const signal = interruption();
    const { authMode, token, allowInsecure, toolset } = environment;
    const { options, close } = startProgram(programs, environment, process.cwd(), log);
    try {
      const listen = { host, port: port(asked), authMode, token, allowInsecure };
      const served = await startServe({ ...options, ...listen, toolset: () => toolset });
      note(`Loom listens on ${served.url} (LOOM_MCP_AUTH_MODE=${authMode}), for ${process.cwd()}.`);
      if (served.made) note(`The token, shown once: ${served.token}`);
      if (served.token !== undefined && !isLoopback(host))
        note('Others can read what is sent here, the token too: put it behind TLS.');
      await ended(signal);
      served.dispose();
      note('Loom ends.');
    } finally {
      await close();
    }
    return 0;
  },
});
