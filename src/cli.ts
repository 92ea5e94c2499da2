import { parseArgs } from 'node:util';
import { asLoomError } from '#base/errors.ts';
import { lineLog } from '#base/log.ts';
import { version } from '#base/version.ts';
import { runCheck } from '#mcp/check.ts';
import { startEngine } from '#mcp/engine.ts';
import { startKernelHost } from '#mcp/kernelHost.ts';
import { readEnvironment } from '#mcp/environment.ts';
import { serveStdio } from '#mcp/stdio.ts';

const usage = `loom ${version()}: a drawer for bulk, as MCP tools

  loom mcp      serve MCP on stdin and stdout (what another client's configuration starts)
  loom check    play the client on every door, print a verdict a check
  loom --version

LOOM_DB             the drawer's folder (else LOOM_HOME/drawer, else ~/.loom/drawer)
LOOM_ALLOWED_DIRS   further folders that may be read
LOOM_MCP_TOOLSET    core (default), drawer, kernel, ledger, all
LOOM_PYTHON         the kernel's interpreter (else .venv of the working folder, else the PATH)
LOOM_KERNEL         auto (default), ipython, plain, ipykernel, pyodide
LOOM_LOG_LEVEL      DEBUG, INFO (default), WARN, ERROR
`;

const mcp = async (): Promise<number> => {
  const environment = readEnvironment(process.env);
  const log = lineLog((line) => process.stderr.write(line), environment.logLevel);
  const engine = startEngine(import.meta.dirname, { folder: environment.folder, version: version() }, log);
  const kernel = startKernelHost({
    programs: import.meta.dirname,
    drawer: environment.folder,
    store: engine.call,
    log,
  });
  const root = process.cwd();
  const { backend, python } = environment;
  await serveStdio({
    engine: engine.call,
    log,
    version: version(),
    toolset: environment.toolset,
    client: undefined,
    root: () => root,
    readableFolders: () => [root, ...environment.allowedDirs],
    kernel: kernel.call,
    kernelChoice: async () => ({ backend, python, cwd: root }),
    // Whoever starts a program for a folder has trusted it.
    trusted: () => true,
  });
  await kernel.close();
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
