// The sandbox on Linux: bubblewrap, called with what a command may see. Nothing is made in the workspace for it.
import { spawn } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { commandEnvironment } from './environment.ts';
import { gated, gateOf, programInPath, type Gated } from './gate.ts';
import { placesFor, type Place } from './places.ts';
import type { Request } from './protocol.ts';
import { systemCallFilter } from './systemCalls.ts';

const filterDescriptor = 4;

const apart = [
  '--unshare-user',
  '--unshare-ipc',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--new-session',
];
const withoutRights = ['--cap-drop', 'ALL', '--seccomp', `${filterDescriptor}`];
const wholeSystem = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

const isFolder = (path: string): boolean => statSync(path).isDirectory();

/** A place is shown under its name, which may be a link, from where it really lies. */
const mountOf = ({ path, as }: Place): string[] => {
  if (as === 'read') return ['--ro-bind-try', realpathSync(path), path];
  if (as === 'written') return ['--bind-try', path, path];
  return isFolder(path) ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
};

/** Hidden folders take no writes once all that is seen in them is in its place: what was written there would be lost. */
const closed = (places: readonly Place[]): string[] =>
  places.filter(({ path, as }) => as === 'hidden' && isFolder(path)).flatMap(({ path }) => ['--remount-ro', path]);

/** Answers why there is no bubblewrap here, or the command behind its gate. */
export const startInBubblewrap = (request: Request): Gated | string => {
  const { command, cwd, workspace, environment } = request;
  const bubblewrap = programInPath('bwrap', workspace);
  if (bubblewrap === undefined) return 'bubblewrap (bwrap) is not installed';
  const filter = systemCallFilter(process.arch);
  if (filter === undefined) return `no sandbox is known for Linux on ${process.arch}`;
  const shell = programInPath('bash', workspace) ?? '/bin/sh';
  const env = commandEnvironment(process.env, environment);
  if (env['TMPDIR'] !== undefined) env['TMPDIR'] = '/tmp';
  const places = placesFor(request);
  const run = ['--chdir', cwd, '--', shell, '-c', gated(shell, command)];
  const child = spawn(
    bubblewrap,
    [...apart, ...withoutRights, ...wholeSystem, ...places.flatMap(mountOf), ...closed(places), ...run],
    {
      cwd: '/',
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const given = child.stdio[filterDescriptor] as Writable;
  given.on('error', () => undefined);
  given.end(filter);
  return gateOf(child);
};
