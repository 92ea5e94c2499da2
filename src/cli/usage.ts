// What `loom --help` shows.
import { version } from '#base/version.ts';
import { variables } from './environment.ts';
import type { Option, Verb } from '#base/verb.ts';

const optionForm = (name: string, { short, value }: Option): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;

/** `search WORDS…`. */
export const verbForm = ({ name, words }: Verb): string => (words === undefined ? name : `${name} ${words.usage}`);

/** `loom search WORDS… [options]`. */
export const usageLine = (verb: Verb): string =>
  `loom ${verbForm(verb)}${verb.options === undefined ? '' : ' [options]'}`;

const columns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
};

/** `loom COMMAND --help`. */
export const verbHelp = (verb: Verb): string => {
  const rows = Object.entries(verb.options ?? {}).map(
    ([name, option]) => [optionForm(name, option), option.meaning] as const,
  );
  return [
    usageLine(verb),
    '',
    `${verb.summary[0]?.toUpperCase()}${verb.summary.slice(1)}.`,
    ...(rows.length === 0 ? [] : ['', ...columns(rows)]),
    ...(verb.more === undefined ? [] : ['', ...verb.more]),
    '',
  ].join('\n');
};

/** `loom --help`: every verb, every variable. */
export const programHelp = (verbs: readonly Verb[]): string =>
  [
    `loom ${version()}: a local drawer for large content and a Python that remembers, as MCP tools`,
    '',
    ...columns(verbs.map((verb) => [verbForm(verb), verb.summary])),
    '',
    'To try it: loom check; loom store build.log; loom search "connection refused"; loom get d1 --lines 120-180',
    'loom COMMAND --help says more. Exit codes: 0 done, 1 not done or something found amiss, 2 not understood.',
    '',
    'Environment (default):',
    ...columns(variables.map(({ variable, otherwise }) => [variable.name, `${variable.meaning} (${otherwise})`])),
    '',
  ].join('\n');
