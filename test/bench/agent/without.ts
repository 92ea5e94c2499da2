import { join } from 'node:path';
import type { ToolCall } from '../../vscode/agent/model.ts';
import { around, mostPages, tailLines, type Place, type Policy } from './policy.ts';
import { isAboutEnd, isPromising, score, stemsOf, termsOf, type Asked, type Terms } from './question.ts';
import { tokensOf } from './tokens.ts';

type Step = Generator<ToolCall, string, string>;
type Hit = { line: number; score: number };

/** Lines in one answer of read_file (VS Code 1.139). */
const pageLines = 2_000;
/** A page with so many units may have been cut by the client; a shorter one with fewer lines was the last. */
const pageUnits = 60_000;
/** What a context of 128,000 tokens takes beside Copilot's own prompt; beyond that Copilot compacts what was read. */
const contextTokens = 90_000;

function* call(tool: string, input: object): Step {
  return yield { tool, input };
}

const read = ({ file }: Asked, { folder }: Place, startLine: number, endLine: number): Step =>
  call('read_file', { filePath: join(folder, file), startLine, endLine });

const terminal = (command: string, explanation: string): Step =>
  call('run_in_terminal', { command, explanation, goal: explanation, mode: 'sync' });

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const neighbours = (words: readonly string[]): string[] =>
  words.slice(1).map((word, n) => `${literally(words[n] ?? '')}.{0,20}${literally(word)}`);

/** Any two of the longest words in one line, in either order. */
const pairs = (words: readonly string[]): string[] => {
  const longest = words
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 4)
    .map(literally);
  return longest.flatMap((word) => longest.filter((other) => other !== word).map((other) => `${word}.*${other}`));
};

/** What is searched for, one after the other: the names; neighbouring words; any two words; any word. */
const patterns = (terms: Terms): string[] => {
  const stems = stemsOf(terms);
  const all = [...terms.names, ...stems].map(literally);
  const every = [terms.names.map(literally), neighbours(stems), pairs(stems), all].map((each) => each.join('|'));
  return every.filter((pattern, n) => pattern !== '' && every.indexOf(pattern) === n);
};

/** Best first. */
const hitsIn = (found: string, terms: Terms): Hit[] =>
  [...found.matchAll(/^(\d+):(.*)$/gm)]
    .filter(([, , text = '']) => isPromising(text, terms))
    .map(([, line, text = '']) => ({ line: Number(line), score: score(text, terms) }))
    .toSorted((a, b) => b.score - a.score || a.line - b.line);

function* grep(asked: Asked, place: Place): Step {
  const terms = termsOf(asked);
  const wasRead: [number, number][] = [];
  for (const query of patterns(terms)) {
    const found = yield* call('grep_search', { query, isRegexp: true, includePattern: asked.file });
    const unread = ({ line }: Hit): boolean => !wasRead.some(([first, last]) => line >= first && line <= last);
    for (let n = 0; n < 2; n++) {
      const best = hitsIn(found, terms).find(unread);
      if (best === undefined) break;
      wasRead.push(around(best.line));
      yield* read(asked, place, ...around(best.line));
    }
  }
  return '';
}

function* pages(asked: Asked, place: Place, most: number): Step {
  let tokens = 0;
  for (let page = 0; page < most; page++) {
    const text = yield* read(asked, place, page * pageLines + 1, (page + 1) * pageLines);
    const isLast = text.split('\n').length < 0.9 * pageLines && text.length < pageUnits;
    tokens += tokensOf(text);
    // The next page is taken to be as long as the last.
    if (isLast || tokens + tokensOf(text) > contextTokens) break;
  }
  return '';
}

/** An agent without Loom. */
export const without: Policy = function* (asked, place) {
  const { program, file, short } = asked;
  if (program) {
    if (program.peek) yield* terminal(`head -c 1500 ${file}`, 'Look at the form of the file');
    yield* terminal(program.command, 'Compute the answer');
    return;
  }
  if (short) {
    yield* pages(asked, place, 1);
    return;
  }
  if (isAboutEnd(asked)) yield* terminal(`tail -n ${tailLines} ${file}`, 'Look at the end of the file');
  yield* grep(asked, place);
  yield* pages(asked, place, mostPages);
};

/** An agent that reads the file from its beginning until it has the answer, or gives up. */
export const naive: Policy = function* (asked, place) {
  yield* pages(asked, place, mostPages);
};
