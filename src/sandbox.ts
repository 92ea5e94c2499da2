// Program 5: runs one command in a sandbox and ends with it.
/**
 * A process of its own for each command, so that the sandbox's proxies and handlers live no longer than it does, and so that
 * nothing outlives whoever started it: when stdin ends, when the command does, or when this process is killed, bubblewrap
 * takes the whole tree with it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { SandboxManager } from '@anthropic-ai/sandbox-runtime';
import { commandEnvironment, unreadable } from '#sandbox/environment.ts';
import { countDescendants } from '#sandbox/processes.ts';
import { mostProcesses, reportDescriptor, type Report, type Request } from '#sandbox/protocol.ts';

const report = (what: Report): void => {
  writeSync(reportDescriptor, `${JSON.stringify(what)}\n`);
};

const watchMs = 100;

/** Why there is no sandbox here; empty where there is one. */
const missing = (): string[] =>
  SandboxManager.isSupportedPlatform()
    ? SandboxManager.checkDependencies().errors
    : [`no sandbox is known for ${process.platform}`];

const end = (child: ChildProcess): void => {
  try {
    // The group: what runs in the sandbox and what serves it from outside.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};

const start = async ({ command, cwd, workspace, hidden }: Request): Promise<ChildProcess> => {
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: unreadable(hidden), allowWrite: [workspace], denyWrite: [] },
  });
  const { argv } = await SandboxManager.wrapWithSandboxArgv(command, undefined, undefined, undefined, cwd);
  const [program = '', ...args] = argv;
  const env = commandEnvironment(process.env);
  return spawn(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
};

const run = async (request: Request): Promise<void> => {
  const why = missing();
  if (why.length > 0) return report({ kind: 'refused', why });
  const child = await start(request);
  const begun = performance.now();
  process.stdin.on('end', () => end(child));
  const watch = setInterval(() => {
    if (countDescendants(child.pid ?? 0) <= mostProcesses) return;
    report({ kind: 'stopped', why: 'processes' });
    end(child);
  }, watchMs);
  const ended = await new Promise<Report>((resolve) => {
    child.on('error', (error) => resolve({ kind: 'refused', why: [error.message] }));
    child.on('exit', (exitCode, signal) =>
      resolve({ kind: 'ended', exitCode, signal, duration: Math.round(performance.now() - begun) }),
    );
  });
  clearInterval(watch);
  end(child);
  report(ended);
  await SandboxManager.reset();
};

createInterface({ input: process.stdin }).once('line', (line) => {
  run(JSON.parse(line) as Request).then(
    () => process.exit(0),
    (error: unknown) => {
      report({ kind: 'refused', why: [error instanceof Error ? error.message : String(error)] });
      process.exit(1);
    },
  );
});
