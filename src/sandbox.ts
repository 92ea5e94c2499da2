// Program 5: runs one command in a sandbox and ends with it.
/**
 * A process of its own for each command, so that nothing outlives whoever started it: when stdin ends, when the command
 * does, or when this process is killed, the whole tree ends. Until the gate opens nothing of the command runs.
 */
import type { ChildProcess } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { startInBubblewrap } from '#sandbox/bubblewrap.ts';
import type { Gated } from '#sandbox/gate.ts';
import { countDescendants } from '#sandbox/processes.ts';
import { mostProcesses, reportDescriptor, type Report, type Request } from '#sandbox/protocol.ts';
import { startInSeatbelt } from '#sandbox/seatbelt.ts';

const report = (what: Report): void => {
  writeSync(reportDescriptor, `${JSON.stringify(what)}\n`);
};

const watchMs = 100;

const end = (child: ChildProcess): void => {
  try {
    // The group: what runs in the sandbox and what serves it from outside.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};

const start = async (request: Request): Promise<Gated | string> => {
  if (process.platform === 'linux') return startInBubblewrap(request);
  if (process.platform === 'darwin') return startInSeatbelt(request);
  return `no sandbox is known for ${process.platform}`;
};

let running: ChildProcess | undefined;
// Listened to before anything is started: whoever asked may be gone by then.
process.stdin.on('end', () => {
  if (running === undefined) process.exit(0);
  end(running);
});

const run = async (request: Request): Promise<void> => {
  const started = await start(request);
  if (typeof started === 'string') return report({ kind: 'refused', why: started });
  const { child, gate } = started;
  running = child;
  let begun = performance.now();
  gate.once('data', () => {
    begun = performance.now();
    report({ kind: 'began' });
    gate.end('\n');
  });
  const watch = setInterval(() => {
    if (countDescendants(child.pid ?? 0) <= mostProcesses) return;
    report({ kind: 'stopped', why: 'processes' });
    end(child);
  }, watchMs);
  const ended = await new Promise<Report>((resolve) => {
    child.on('error', (error) => resolve({ kind: 'refused', why: error.message }));
    child.on('exit', (exitCode, signal) =>
      resolve({ kind: 'ended', exitCode, signal, duration: Math.round(performance.now() - begun) }),
    );
  });
  clearInterval(watch);
  end(child);
  report(ended);
};

createInterface({ input: process.stdin }).once('line', (line) => {
  run(JSON.parse(line) as Request).then(
    () => process.exit(0),
    (error: unknown) => {
      report({ kind: 'refused', why: error instanceof Error ? error.message : String(error) });
      process.exit(1);
    },
  );
});
