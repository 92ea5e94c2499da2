import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hottest, hottestIn, largest, largestIn, reasons, reasonsIn, slowest, slowestIn } from './programs.ts';
import type { Program, Question } from './question.ts';

/** `lookup`: one question whose answer stands in a line; `session`: three of them about one file, in one conversation. */
export type Kind = 'lookup' | 'session' | 'aggregate' | 'short';
export type Task = { name: string; kind: Kind; questions: readonly Question[] };

/** Lines that answer, each as well as the others. */
type Find = RegExp | ((text: string) => string);
type Row = { text: string; find: Find; program?: Program };

const bySelf = (text: string, find: Find): Row => ({ text, find });

/** What matches `pattern` first behind the words `after`. */
const behind =
  (after: string, pattern: RegExp) =>
  (text: string): string => {
    const start = text.indexOf(after);
    return (start < 0 ? null : pattern.exec(text.slice(start)))?.[0] ?? '';
  };

const inJson =
  <T>(find: (content: T) => string) =>
  (text: string): string =>
    find(JSON.parse(text) as T);

type Rows = { name: string; kind: Kind; file: string; rows: Row[] };

const computed = (name: string, file: string, text: string, program: Program, find: Find): Rows => ({
  name,
  kind: 'aggregate',
  file,
  rows: [{ text, find, program }],
});

const asked = (kind: Kind, name: string, file: string, ...rows: Row[]): Rows => ({ name, kind, file, rows });

/** A function that V8 gave up once, with a name of some length. */
const onceDeoptimized = (log: string): RegExpExecArray | undefined => {
  const all = [...log.matchAll(/^\[bailout .*<JSFunction (\w{6,}) .*$/gm)];
  return all.find(([, name]) => all.filter((other) => other[1] === name).length === 1);
};

const fileWithOneError = (log: string): RegExpExecArray | undefined => {
  const all = [...log.matchAll(/^(\S+\.ts)\(\d+,\d+\): error .*$/gm)];
  return all.find(([, file]) => all.filter((other) => other[1] === file).length === 1);
};

// prettier-ignore
const rowsOver = (read: (file: string) => string): Rows[] => {
  const [deoptimization = '', deoptimized] = onceDeoptimized(read('v8.log')) ?? [];
  const [error = '', broken] = fileWithOneError(read('tsc.log')) ?? [];
  const sdk = '@modelcontextprotocol/sdk/client/stdio.js';
  const untold = 'what is not known is said not to be measured';
  return [
    asked('lookup', 'resolve', 'build.log', bySelf('to which path was the import `stemmer` resolved?', /Primary path is ".*\/stemmer\/.*/g)),
    asked('session', 'build', 'build.log',
      bySelf('where in `src/kernelHost.ts` is `import.meta` used although the output format leaves it empty?', /src\/kernelHost\.ts:\d+:\d+:/g),
      bySelf(`to which path was the import \`${sdk}\` resolved?`, /Primary path is ".*\/client\/stdio\.js"/g),
      bySelf('how long did the whole build take?', /.*Done in \d+ms/g),
    ),
    asked('lookup', 'save', 'vscode.d.ts', bySelf('what is returned by saving a document that was not dirty?', /.*return false if the file was not dirty.*/g)),
    asked('session', 'api', 'vscode.d.ts',
      bySelf('which number stands for the severity `Hint` of a diagnostic?', /Hint = \d+/g),
      bySelf('when does the event `onDidCloseTerminal` fire?', /.*which fires when a terminal is disposed.*/g),
      bySelf('does a higher priority put a status bar item more to the left or to the right?', /.*Higher values mean the item.*/g),
    ),
    asked('lookup', 'scroll', 'lib.dom.d.ts', bySelf('which values can `ScrollBehavior` have?', /^type ScrollBehavior = .*/gm)),
    asked('lookup', 'beacon', 'lib.dom.d.ts', bySelf('which method sends a small amount of data to a web server without waiting?', /.*sendBeacon\(\)`\*\* method.*/g)),
    asked('lookup', 'futimes', 'CHANGELOG.md', bySelf('which pull request disabled `futimes` under the permission model?', /.*disable futimes when.*/g)),
    asked('session', 'changes', 'CHANGELOG.md',
      bySelf('which commit made detached array buffers count as empty?', /.*treat detached ArrayBuffers as empty.*/g),
      bySelf('which pull request gave `fs.stat` a signal option?', /.*add signal option to fs\.stat.*/g),
      bySelf('who prepared the build tools for updating to OpenSSL 3.5?', /.*prepare to update to OpenSSL 3\.5.*/g),
    ),
    asked('lookup', 'copyright', 'notices.md', bySelf('who holds the copyright of the package `vnopts`?', behind('## vnopts@', /^.*Copyright.*/m))),
    asked('lookup', 'integrity', 'package-lock.json', bySelf('what is the integrity hash of `re2js`?', behind('"node_modules/re2js"', /"integrity": ".*"/))),
    asked('lookup', 'deopt', 'v8.log', bySelf(`for what reason was the function \`${deoptimized}\` deoptimized?`, () => deoptimization)),
    asked('lookup', 'added', 'npm.log', bySelf('which version of `undici-types` is added?', /^add undici-types .*/gm)),
    asked('lookup', 'error', 'tsc.log', bySelf(`what is wrong in \`${broken}\`?`, () => error)),
    asked('session', 'failures', 'vitest.log',
      bySelf(`what did the test "${untold}" expect to be paid?`, /^- .*"Paid: .*/gm),
      bySelf('how many tests failed in all?', /^ +Tests .*failed.*/gm),
      bySelf('what did the test "figures and counts" receive?', behind('test/base/text.test.ts > figures and counts\nAssert', /^Received: .*/m)),
    ),
    computed('slowest', 'vitest.json', 'which tests were the slowest?', slowest, inJson(slowestIn)),
    computed('largest', 'bundle.json', 'which inputs have the most bytes?', largest, inJson(largestIn)),
    computed('hottest', 'format.cpuprofile', 'in which functions was the most time spent?', hottest, inJson(hottestIn)),
    computed('reasons', 'v8.log', 'which reasons for bailing out are the most frequent?', reasons, reasonsIn),
    asked('short', 'licence', 'LICENSE', bySelf('who holds the copyright?', /Copyright.*/g)),
    asked('short', 'limit', 'text.ts', bySelf('how many units may a text part of an answer have?', /export const partLimit = .*/g)),
  ];
};

/** The tasks over the files in `folder`. Their evidence is looked up there, in a way that no policy knows. */
export const tasksIn = (folder: string): Task[] => {
  const texts = new Map<string, string>();
  const read = (file: string): string => {
    const text = texts.get(file) ?? readFileSync(join(folder, file), 'utf8');
    texts.set(file, text);
    return text;
  };
  return rowsOver(read).map(({ name, kind, file, rows }) => ({
    name,
    kind,
    questions: rows.map(({ text, find, program }) => {
      const found = typeof find === 'function' ? [find(read(file))] : (read(file).match(find) ?? []);
      const evidence = [...new Set(found.map((line) => line.trim()))].filter((line) => line !== '');
      if (evidence.length === 0) throw new Error(`${name}: nothing in ${file} answers "${text}"`);
      return { text: `In ${file}, ${text}`, file, evidence, short: kind === 'short', ...(program && { program }) };
    }),
  }));
};
