import { version } from '#base/version.ts';
import { variables } from './environment.ts';
import type { Command, Option } from './defineVerb.ts';

const optionForm = (name: string, { short, value }: Option): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;

/** `search WORDS…`. */
export const commandForm = ({ name, words }: Command): string =>
  words === undefined ? name : `${name} ${words.usage}`;

/** `loom search WORDS… [options]`. */
export const usageLine = (command: Command): string =>
  `loom ${commandForm(command)}${command.options === undefined ? '' : ' [options]'}`;

const columns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
};

/** `loom COMMAND --help`. */
export const commandHelp = (command: Command): string => {
  const rows = Object.entries(command.options ?? {}).map(
    ([name, option]) => [optionForm(name, option), option.meaning] as const,
  );
  return [
    usageLine(command),
    '',
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    ...(rows.length === 0 ? [] : ['', ...columns(rows)]),
    ...(command.more === undefined ? [] : ['', ...command.more]),
    '',
  ].join('\n');
};

/** `loom --help`: every command, every variable. */
export const programHelp = (commands: readonly Command[]): string =>
  [
    `loom ${version()}: a drawer for bulk and a Python that remembers, as MCP tools`,
    '',
    ...columns(commands.map((command) => [commandForm(command), command.summary])),
    '',
    'To try it: loom check; loom store build.log; loom search "connection refused"; loom get d1 --lines 120-180',
    'loom COMMAND --help says more. Exit codes: 0 done, 1 not done or something found amiss, 2 not understood.',
    '',
    'Environment (default):',
    ...columns(
      Object.entries(variables).map(([name, { meaning, default: otherwise }]) => [name, `${meaning} (${otherwise})`]),
    ),
    '',
  ].join('\n');
