// npm run conformance: every server scenario of @modelcontextprotocol/conformance against Loom's own HTTP host.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { silentLog } from '#base/log.ts';
import { serveAdmission } from '#mcp/http/admission.ts';
import { startHttpServer } from '#mcp/http/server.ts';
import { createFixtureServer } from './fixtureServer.ts';

const program = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

/** The newest revision that VS Code speaks. */
const revision = '2025-11-25';

export type Conformance = {
  /** 0 where no scenario failed. */
  code: number;
  output: string;
};

/** Runs the scenarios `which` (all of the revision's where it is left out) against the server at `url`. */
export const scenarios = async (url: string, which?: string): Promise<Conformance> => {
  const chosen = which === undefined ? ['--suite', 'all', '--spec-version', revision] : ['--scenario', which];
  const child = spawn(process.execPath, [program, 'server', '--url', url, ...chosen], { cwd: tmpdir() });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
};

/** The program cannot send a token, so the host runs without one: on 127.0.0.1, with its checks of Host and Origin. */
export const openHost = (open: () => Server) =>
  startHttpServer({
    log: silentLog,
    host: '127.0.0.1',
    port: 0,
    admission: () => serveAdmission({ mode: 'open', token: 'unused', readonlyToken: undefined, host: '127.0.0.1' }),
    open,
  });

export const conformance = async (): Promise<Conformance> => {
  const host = await openHost(createFixtureServer);
  try {
    return await scenarios(`http://127.0.0.1:${host.port}/mcp`);
  } finally {
    host.dispose();
  }
};

if (import.meta.main) {
  const { code, output } = await conformance();
  console.log(output);
  process.exitCode = code;
}
