// The doors by which `loom check` comes in as a client.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { silentLog } from '#base/log.ts';
import { version } from '#base/version.ts';
import { fileOf } from '#host/programs.ts';
import { startHttpHost } from '#mcp/http/windowHost.ts';
import { begin } from './begin.ts';
import { readEnvironment } from './environment.ts';

type Transport = Parameters<Client['connect']>[0];

/** A door, opened for a client that plays one. */
export type Opened = {
  client: Client;
  close: () => Promise<void>;
};

/** What a door must have done before a client is let in; each is a verdict. */
export type Expect = (what: string, ok: boolean, seen: unknown) => void;

export type Door = { name: string; open: (folder: string, expect: Expect, signal: AbortSignal) => Promise<Opened> };

const connected = async (transport: unknown): Promise<Client> => {
  const client = new Client({ name: 'loom-check', version: '1' });
  // The SDK's transports have optional members that exactOptionalPropertyTypes does not accept as a Transport.
  await client.connect(transport as Transport);
  return client;
};

const overHttp = (url: string, headers: Record<string, string>): Promise<Client> =>
  connected(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

/** Which Python a person chose holds here too; nothing else of their settings does, least of all their drawer. */
const keptVariables = ['LOOM_PYTHON', 'LOOM_KERNEL'];

const settings = (own: Record<string, string>): Record<string, string> => {
  const kept = keptVariables.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), LOOM_LOG_LEVEL: 'WARN', ...own };
};

/** A child's whole environment. In an editor the program that runs this is Electron, which can be Node. */
const childEnvironment = (own: Record<string, string>): Record<string, string> => {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('LOOM_'));
  return { ...(Object.fromEntries(others) as Record<string, string>), ELECTRON_RUN_AS_NODE: '1', ...settings(own) };
};

/** `loom mcp`, as another client's configuration starts it. */
export const stdioDoor = (programs: string): Door => ({
  name: 'stdio',
  open: async (folder) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [fileOf(programs, 'cli'), 'mcp'],
      cwd: folder,
      env: childEnvironment({ LOOM_DB: join(folder, 'drawer-stdio') }),
      stderr: 'ignore',
    });
    const client = await connected(transport);
    return { client, close: () => client.close() };
  },
});

/** The editor window's own host. */
export const windowDoor = (programs: string): Door => ({
  name: 'window',
  open: async (folder, expect) => {
    const chosen = readEnvironment(settings({ LOOM_DB: join(folder, 'drawer-window') }), () => undefined);
    const loom = begin(programs, chosen, folder, silentLog);
    const { house } = loom;
    const host = await startHttpHost({ house, version: version(), client: undefined, toolset: () => 'core' });
    const { status } = await fetch(host.url, { method: 'POST', body: '{}' });
    expect('answers 404 without the token', status === 404, status);
    const client = await overHttp(host.url, host.headers);
    const close = async (): Promise<void> => {
      await client.close();
      host.dispose();
      await loom.close();
    };
    return { client, close };
  },
});

const tokenForCheck = 'a-token-for-this-check-only';

/** `loom serve`, with its token and on a port of its own. */
export const serveDoor = (programs: string): Door => ({
  name: 'serve',
  open: async (folder, expect, signal) => {
    const child = spawn(process.execPath, [fileOf(programs, 'cli'), 'serve', '--port', '0'], {
      cwd: folder,
      env: childEnvironment({ LOOM_DB: join(folder, 'drawer-serve'), LOOM_TOKEN: tokenForCheck }),
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    });
    const exited = once(child, 'exit');
    let said = '';
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        said += `${line}\n`;
        const [found] = /http:\/\/\S+\/mcp/.exec(line) ?? [];
        if (found !== undefined) resolve(found);
      });
      exited.then(() => reject(new Error(`loom serve ended: ${said}`)), reject);
    });
    const refused = await fetch(url, { method: 'POST', body: '{}' });
    const asks = refused.headers.get('www-authenticate');
    expect('answers 401 without the token', refused.status === 401 && asks === 'Bearer realm="loom"', refused.status);
    const client = await overHttp(url, { Authorization: `Bearer ${tokenForCheck}` });
    const close = async (): Promise<void> => {
      await client.close();
      child.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      // Windows has no such signal: a process is just ended there.
      if (process.platform !== 'win32') expect('ends in order', code === 0, `exit code ${code}`);
    };
    return { client, close };
  },
});
