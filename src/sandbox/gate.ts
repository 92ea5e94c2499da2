// The gate that a command waits at until its sandbox stands.
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { isInside } from '#files/roots.ts';

/** The descriptor of the gate in the sandbox. */
export const gateDescriptor = 3;

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * What the sandbox's shell runs: it says that it is there, and goes on once it is told to; when whoever would tell it is
 * gone, the command never begins.
 */
export const gated = (shell: string, command: string): string =>
  `echo >&${gateDescriptor}; read -r _ <&${gateDescriptor} || exit 126; exec ${gateDescriptor}>&-; exec ${quoted(shell)} -c ${quoted(command)}`;

/** A command behind its gate. */
export type Gated = { child: ChildProcess; gate: Duplex };

export const gateOf = (child: ChildProcess): Gated => {
  const gate = child.stdio[gateDescriptor] as Duplex;
  // It closes when the sandbox did not come about.
  gate.on('error', () => undefined);
  return { child, gate };
};

/** A program in PATH, but for relative folders and the workspace's own: a command could have put one there. */
export const programInPath = (name: string, workspace: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(workspace, folder))
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
