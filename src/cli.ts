// Program 2: `loom`, the protocol for every other client and the person's verbs.
import { lineLog } from '#base/log.ts';
import { version } from '#base/version.ts';
import { begin } from '#cli/begin.ts';
import { drawerFolder, forgetSecrets, readEnvironment } from '#cli/environment.ts';
import { cliSettings } from '#cli/room.ts';
import { runCommandLine } from '#cli/run.ts';
import { terminalOf } from '#cli/terminal.ts';
import { recoveryKeyText } from '#storage/password.ts';

const programs = import.meta.dirname;

/** zstd, which the drawer's content is compressed with, came with this one. */
const oldestNode = [22, 15] as const;

const tooOld = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
};

const terminal = terminalOf(process.stdout, process.stderr);
const { note } = terminal;

/** Both signals ask for an orderly end; the second time they end the program at once. */
const interruption = (): AbortSignal => {
  const ended = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (ended.signal.aborted) process.exit(130);
      ended.abort();
    });
  return ended.signal;
};

const main = async (argv: readonly string[]): Promise<number> => {
  if (tooOld()) {
    note(`loom needs Node ${oldestNode.join('.')} or newer; this is ${process.version}.`);
    return 1;
  }
  const settings = readEnvironment(process.env, (line) => note(`loom: ${line}`));
  const { env } = process;
  forgetSecrets(env);
  const { logLevel } = settings(cliSettings);
  const serves = ['mcp', 'serve'].includes(argv[0] ?? '');
  const log = lineLog((line) => note(line.trimEnd()), !serves && logLevel === 'INFO' ? 'WARN' : logLevel);
  const tellKey = (key: string): void =>
    note(`The new drawer is sealed with LOOM_DB_PASSWORD.\n${recoveryKeyText(key)}`);
  const { house, routes, close } = begin(programs, settings, process.cwd(), log, serves ? undefined : tellKey);
  const program = { programs, env, folder: drawerFolder(settings), version: version(), house, routes };
  try {
    return await runCommandLine(argv, {
      services: { ...house.services, program },
      ...terminal,
      input: () => process.stdin,
      interruption,
    });
  } finally {
    await close();
  }
};

// Whoever reads the output may stop reading (`loom get d7 | head`): then there is nobody to tell.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (thrown: unknown) => {
    note(`loom: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
    process.exitCode = 1;
  },
);
