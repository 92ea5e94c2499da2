import { parseArgs } from 'node:util';
import { asLoomError } from '#base/errors.ts';
import { lineLog } from '#base/log.ts';
import { version } from '#base/version.ts';
import { runCheck } from '#mcp/check.ts';
import { startEngine } from '#mcp/engine.ts';
import { readEnvironment } from '#mcp/environment.ts';
import { serveStdio } from '#mcp/stdio.ts';

const usage = `loom ${version()}: a drawer for bulk, as MCP tools

  loom mcp      serve MCP on stdin and stdout (what another client's configuration starts)
  loom check    play the client on every door, print a verdict a check
  loom --version

LOOM_DB             the drawer's folder (else LOOM_HOME/drawer, else ~/.loom/drawer)
LOOM_ALLOWED_DIRS   further folders that may be read
LOOM_TTL_DAYS       days without use after which a session expires (30)
LOOM_MAX_MB         the drawer's cap in MB (200)
LOOM_WHEN_FULL      evict (default): at the cap old documents go; refuse: nothing more is stored
LOOM_REDACT         0: secrets are not masked on the way in
LOOM_STORE_CMD      1: ctx_store_cmd may run commands, in a sandbox
LOOM_MCP_TOOLSET    core (default), drawer, ledger, all
LOOM_LOG_LEVEL      DEBUG, INFO (default), WARN, ERROR
`;

const mcp = async (): Promise<number> => {
  const environment = readEnvironment(process.env);
  const log = lineLog((line) => process.stderr.write(line), environment.logLevel);
  const { folder, policy } = environment;
  const engine = startEngine(import.meta.dirname, { folder, version: version(), policy }, log);
  const root = process.cwd();
  await serveStdio({
    engine: engine.call,
    log,
    version: version(),
    toolset: environment.toolset,
    client: undefined,
    root: () => root,
    readableFolders: () => [root, ...environment.allowedDirs],
  });
  await engine.close();
  return 0;
};

const commands: Record<string, () => Promise<number>> = {
  mcp,
  check: () => runCheck(import.meta.dirname, (line) => process.stdout.write(`${line}\n`)),
};

/** zstd, which the drawer's content is compressed with, came with this one. */
const oldestNode = [22, 15] as const;

const tooOld = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
};

const main = async (): Promise<number> => {
  if (tooOld()) {
    process.stderr.write(`loom needs Node ${oldestNode.join('.')} or newer; this is ${process.version}.\n`);
    return 1;
  }
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { version: { type: 'boolean', short: 'v' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.version) process.stdout.write(`${version()}\n`);
  if (values.version) return 0;
  const [name, ...others] = positionals;
  const command = name === undefined || others.length > 0 ? undefined : commands[name];
  if (command !== undefined && !values.help) return command();
  process[values.help ? 'stdout' : 'stderr'].write(usage);
  return values.help ? 0 : 2;
};

main().then(
  (code) => {
    process.exitCode = code;
  },
  (thrown: unknown) => {
    const { code, message } = asLoomError(thrown);
    process.stderr.write(`loom: ${code}: ${message}\n`);
    process.exitCode = 1;
  },
);
