import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { asLoomError } from '#base/errors.ts';
import { lineLog } from '#base/log.ts';
import { adminCommands } from '#mcp/admin.ts';
import { version } from '#base/version.ts';
import { runCheck } from '#mcp/check.ts';
import { startEngine } from '#mcp/engine.ts';
import { openGates } from '#mcp/gates.ts';
import { startKernelHost } from '#mcp/kernelHost.ts';
import { readEnvironment } from '#mcp/environment.ts';
import { defaultRate } from '#mcp/rateLimit.ts';
import { serveStdio } from '#mcp/stdio.ts';

const programs = import.meta.dirname;

const usage = `loom ${version()}: a drawer for bulk, as MCP tools

  loom mcp               serve MCP on stdin and stdout (what another client's configuration starts)
  loom check             play the client on every door, print a verdict a check
  loom health            the drawer's state and size
  loom stats [--json]    what Loom kept out of prompts and what it cost, ever
  loom export FILE       write the drawer as a plain SQLite file
  loom doctor [--repair] look at the drawer's folder, say what is wrong and what to do
  loom unlock [--force]  say that a program on another machine that holds the drawer is gone
  loom --version

LOOM_DB             the drawer's folder (else LOOM_HOME/drawer, else ~/.loom/drawer)
LOOM_DB_PASSWORD    the passphrase of a sealed drawer
LOOM_ALLOWED_DIRS   further folders that may be read
LOOM_TTL_DAYS       days without use after which a session expires (30)
LOOM_MAX_MB         the drawer's cap in MB (200)
LOOM_WHEN_FULL      evict (default): at the cap old documents go; refuse: nothing more is stored
LOOM_REDACT         0: secrets are not masked on the way in
LOOM_STORE_CMD      1: ctx_store_cmd may run commands, in a sandbox
LOOM_MCP_TOOLSET    core (default), drawer, kernel, ledger, or several: core+kernel; readonly, all
LOOM_PYTHON         the kernel's interpreter (else .venv of the working folder, else the PATH)
LOOM_KERNEL         auto (default), ipython, plain, ipykernel, pyodide
LOOM_COUNTER        o200k_base (default), cl100k_base: the tokenizer that counts
LOOM_LOG_LEVEL      DEBUG, INFO (default), WARN, ERROR
`;

const mcp = async (): Promise<number> => {
  const environment = readEnvironment(process.env);
  const log = lineLog((line) => process.stderr.write(line), environment.logLevel);
  const { folder, policy, storeCmd, counter } = environment;
  const engine = startEngine(programs, { folder, version: version(), policy, counter }, log, async () => ({
    passphrase: environment.passphrase,
  }));
  const kernel = startKernelHost({
    programs,
    drawer: environment.folder,
    redact: policy.redact,
    store: engine.call,
    log,
  });
  const root = process.cwd();
  const gates = openGates({ rate: defaultRate, auditFolder: join(folder, 'audit'), log });
  const { backend, python } = environment;
  await serveStdio({
    engine: engine.call,
    log,
    gates,
    version: version(),
    toolset: environment.toolset,
    client: undefined,
    root: () => root,
    readableFolders: () => [root, ...environment.allowedDirs],
    kernel: kernel.call,
    kernelChoice: async () => ({ backend, python, cwd: root }),
    // Whoever starts a program for a folder has trusted it.
    trusted: () => true,
    storeCmd: () => ({ enabled: storeCmd, workspace: root }),
  });
  await gates.close();
  await kernel.close();
  await engine.close();
  return 0;
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const check = (): Promise<number> => runCheck(programs, print);

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
    options: {
      version: { type: 'boolean', short: 'v' },
      help: { type: 'boolean', short: 'h' },
      repair: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.version) print(version());
  if (values.version) return 0;
  const [name = '', ...others] = positionals;
  if (name === 'mcp' && others.length === 0) return mcp();
  if (name === 'check' && others.length === 0) return check();
  const admin = Object.hasOwn(adminCommands, name) ? adminCommands[name as keyof typeof adminCommands] : undefined;
  if (admin !== undefined && !values.help) {
    const { folder, passphrase, counter, logLevel } = readEnvironment(process.env);
    const log = lineLog((line) => process.stderr.write(line), logLevel === 'INFO' ? 'WARN' : logLevel);
    const engine = startEngine(programs, { folder, version: version(), counter }, log, async () => ({ passphrase }));
    try {
      return await admin({ engine: engine.call, words: others, ...values, print });
    } finally {
      await engine.close();
    }
  }
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
