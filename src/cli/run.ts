// Runs one command line.
import { parseArgs } from 'node:util';
import { asLoomError, type ErrorTable } from '#base/errors.ts';
import type { Services } from '#base/room.ts';
import { version } from '#base/version.ts';
import { UsageError, type Terminal, type Verb, type VerbCall } from '#base/verb.ts';
import { errors } from '#assemble.ts';
import { nearWords } from '#text/nearWords.ts';
import { cliErrors } from './room.ts';
import { verbHelp, programHelp, usageLine } from './usage.ts';
import { verbs } from './verbs.ts';

/** What runs the verbs: a terminal, and the services that they need. */
export type Host = Terminal & { services: Partial<Services> };

/** The verb that `argv` begins with, and what follows its name. */
const named = (argv: readonly string[]): { verb: Verb | undefined; rest: string[] } => {
  for (const length of [2, 1]) {
    const name = argv.slice(0, length).join(' ');
    const verb = verbs.find((one) => one.name === name);
    if (verb !== undefined) return { verb, rest: argv.slice(length) };
  }
  return { verb: undefined, rest: [...argv] };
};

const help = { type: 'boolean', short: 'h', default: false } as const;

const parsed = (verb: Verb, rest: string[]): Pick<VerbCall, 'words' | 'options'> & { help: boolean } => {
  const options = Object.fromEntries(
    Object.entries(verb.options ?? {}).map(([name, { type, short }]) => [
      name,
      { type, ...(short === undefined ? {} : { short }), ...(type === 'boolean' ? { default: false } : {}) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: rest, options: { ...options, help }, allowPositionals: true });
    return { words: positionals, options: values as unknown as VerbCall['options'], help: values.help };
  } catch (error) {
    // Node's own words name the option: they are meant for the person at the command line.
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

const expectWords = ({ words = { usage: '', least: 0, most: 0 } }: Verb, given: readonly string[]): void => {
  if (given.length < words.least) throw new UsageError(`${words.usage} is missing.`);
  const extra = given[words.most];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many.`);
};

const runVerb = async (verb: Verb, rest: string[], host: Host): Promise<number> => {
  const { words, options, help: asked } = parsed(verb, rest);
  if (asked) {
    host.write(verbHelp(verb));
    return 0;
  }
  expectWords(verb, words);
  const services = Object.fromEntries(verb.needs.map((need) => [need, host.services[need]]));
  const { services: _, ...terminal } = host;
  return verb.run({ ...terminal, ...services, words, options } as unknown as Parameters<Verb['run']>[0]);
};

const unknown = (argv: readonly string[]): string => {
  const [word = ''] = argv;
  const names = verbs.map(({ name }) => name);
  const [near] = nearWords(word, names, 3);
  return `There is no command "${word}".${near === undefined ? '' : ` Did you mean ${near}?`} Commands: ${names.join(', ')}.`;
};

const failed = (thrown: unknown, verb: Verb, host: Host): number => {
  if (thrown instanceof UsageError) {
    host.note(`loom: ${thrown.message}`);
    host.note(`usage: ${usageLine(verb)}`);
    host.note(`loom ${verb.name} --help says more.`);
    return 2;
  }
  const { code, message } = asLoomError(thrown);
  host.note(`loom: ${code}: ${message}`);
  const table: ErrorTable = { ...errors, ...cliErrors };
  const { fix = '' } = table[code] ?? {};
  if (!message.includes(fix)) host.note(fix);
  return 1;
};

/** Runs one command line, without the program's own name; answers the exit code. Never rejects. */
export const runCommandLine = async (argv: readonly string[], host: Host): Promise<number> => {
  const [first] = argv;
  if (first === undefined) {
    host.note(programHelp(verbs));
    return 2;
  }
  if (['--version', '-v'].includes(first)) {
    host.print(version());
    return 0;
  }
  const asked = ['--help', '-h', 'help'].includes(first);
  const { verb, rest } = named(asked ? [...argv.slice(1), '--help'] : argv);
  if (verb === undefined) {
    if (asked && argv.length === 1) host.write(programHelp(verbs));
    else host.note(`loom: ${unknown(asked ? argv.slice(1) : argv)}`);
    return asked && argv.length === 1 ? 0 : 2;
  }
  try {
    return await runVerb(verb, rest, host);
  } catch (thrown) {
    return failed(thrown, verb, host);
  }
};
