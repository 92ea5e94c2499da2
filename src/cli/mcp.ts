// `loom mcp` and `loom serve`: the protocol for clients that start it, and for those that connect to it.
import { defineVerb, UsageError } from '#base/verb.ts';
import { isLoopback } from '#mcp/http/admission.ts';
import { startServe } from '#mcp/http/serve.ts';
import { mcpSettings, toolsetSetting } from '#mcp/room.ts';
import { serveStdio } from '#mcp/stdio.ts';
import type { Program } from './room.ts';

/** What both serve, and how much of it. */
const served = ({ house, version }: Program) => {
  const { settings } = house.services;
  const toolset = toolsetSetting(house.rosters);
  const { schemaProfile } = settings(mcpSettings);
  return { house, version, client: undefined, schemaProfile, toolset: () => settings(toolset).toolset };
};

export const mcp = defineVerb({
  name: 'mcp',
  summary: "serve MCP on stdin and stdout: what another client's configuration starts",
  more: ['loom client --target T --install puts it into the configuration of a client.'],
  needs: ['program'],
  run: async ({ program, interruption }) => {
    await serveStdio(served(program), interruption());
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

export const serve = defineVerb({
  name: 'serve',
  needs: ['program'],
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
  run: async ({ program, interruption, options: { host = '127.0.0.1', port: asked = usualPort }, note }) => {
    // Before anything is started: a signal that comes early must not leave it behind.
    const signal = interruption();
    const { 'serve.authMode': authMode, ...values } = program.house.services.settings(mcpSettings);
    const server = await startServe({
      ...served(program),
      routes: program.routes,
      host,
      port: port(asked),
      authMode,
      token: values['serve.token'] || undefined,
      readonlyToken: values['serve.readonlyToken'] || undefined,
      allowInsecure: values['serve.allowInsecure'],
    });
    note(`Loom listens on ${server.url} (LOOM_MCP_AUTH_MODE=${authMode}), for ${process.cwd()}.`);
    if (server.made) note(`The token, shown once: ${server.token}`);
    if (server.token !== undefined && !isLoopback(host))
      note('Others can read what is sent here, the token too: put it behind TLS.');
    await ended(signal);
    server.dispose();
    note('Loom ends.');
    return 0;
  },
});
