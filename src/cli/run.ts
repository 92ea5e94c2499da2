import { parseArgs } from 'node:util';
import { closestMatch } from 'leven';
import { asLoomError, errorKinds } from '#base/errors.ts';
import { version } from '#base/version.ts';
import { UsageError, type Call, type Command, type CommandHost } from './defineVerb.ts';
import { commandHelp, programHelp, usageLine } from './usage.ts';
import { commands } from './verbs.ts';

/** The command that `argv` begins with, and what follows its name. */
const named = (argv: readonly string[]): { command: Command | undefined; rest: string[] } => {
  for (const length of [2, 1]) {
    const name = argv.slice(0, length).join(' ');
    const command = commands.find((one) => one.name === name);
    if (command !== undefined) return { command, rest: argv.slice(length) };
  }
  return { command: undefined, rest: [...argv] };
};

const help = { type: 'boolean', short: 'h', default: false } as const;

const parsed = (command: Command, rest: string[]): Pick<Call, 'words' | 'options'> & { help: boolean } => {
  const options = Object.fromEntries(
    Object.entries(command.options ?? {}).map(([name, { type, short }]) => [
      name,
      { type, ...(short === undefined ? {} : { short }), ...(type === 'boolean' ? { default: false } : {}) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: rest, options: { ...options, help }, allowPositionals: true });
    return { words: positionals, options: values as unknown as Call['options'], help: values.help };
  } catch (error) {
    // Node's own words name the option: they are meant for the person at the command line.
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

const expectWords = ({ words = { usage: '', least: 0, most: 0 } }: Command, given: readonly string[]): void => {
  if (given.length < words.least) throw new UsageError(`${words.usage} is missing.`);
  const extra = given[words.most];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many.`);
};

const runCommand = async (command: Command, rest: string[], host: CommandHost): Promise<number> => {
  const { words, options, help: asked } = parsed(command, rest);
  if (asked) {
    host.write(commandHelp(command));
    return 0;
  }
  expectWords(command, words);
  return command.run({ ...host, words, options });
};

const unknown = (argv: readonly string[]): string => {
  const [word = ''] = argv;
  const near = closestMatch(word, [...new Set(commands.map(({ name }) => name))], { maxDistance: 3 });
  const names = commands.map(({ name }) => name).join(', ');
  return `There is no command "${word}".${near === undefined ? '' : ` Did you mean ${near}?`} Commands: ${names}.`;
};

const failed = (thrown: unknown, command: Command, host: CommandHost): number => {
  if (thrown instanceof UsageError) {
    host.note(`loom: ${thrown.message}`);
    host.note(`usage: ${usageLine(command)}`);
    host.note(`loom ${command.name} --help says more.`);
    return 2;
  }
  const { code, message } = asLoomError(thrown);
  host.note(`loom: ${code}: ${message}`);
  if (!message.includes(errorKinds[code].fix)) host.note(errorKinds[code].fix);
  return 1;
};

/** Runs one command line, without the program's own name; answers the exit code. Never rejects. */
export const runCommandLine = async (argv: readonly string[], host: CommandHost): Promise<number> => {
  const [first] = argv;
  if (first === undefined) {
    host.note(programHelp(commands));
    return 2;
  }
  if (['--version', '-v'].includes(first)) {
    host.print(version());
    return 0;
  }
  const asked = ['--help', '-h', 'help'].includes(first);
  const { command, rest } = named(asked ? [...argv.slice(1), '--help'] : argv);
  if (command === undefined) {
    if (asked && argv.length === 1) host.write(programHelp(commands));
    else host.note(`loom: ${unknown(asked ? argv.slice(1) : argv)}`);
    return asked && argv.length === 1 ? 0 : 2;
  }
  try {
    return await runCommand(command, rest, host);
  } catch (thrown) {
    return failed(thrown, command, host);
  }
};
