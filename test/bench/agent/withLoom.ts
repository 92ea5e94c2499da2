import type { ToolCall } from '../../vscode/agent/model.ts';
import { around, mostPages, tailLines, type Place, type Policy } from './policy.ts';
import { isAboutEnd, isPromising, score, termsOf, type Asked, type Terms } from './question.ts';
import { without } from './without.ts';

type Step = Generator<ToolCall, string, string>;

function* call(tool: string, input: object): Step {
  return yield { tool: `mcp_loom_${tool}`, input };
}

/** `answer`: what storing it gave; nothing where it was stored before. */
type Kept = { id: string; lines: number; answer: string };

const anchorOf = (file: string, answer: string): Omit<Kept, 'answer'> | undefined => {
  const id = answer
    .split('\n')
    .find((line) => /^d\d+ /.test(line) && line.endsWith(` ${file}`))
    ?.split(' ')[0];
  const lines = /· ([\d,]+) lines? ·/.exec(answer)?.[1]?.replaceAll(',', '');
  return id === undefined ? undefined : { id, lines: Number(lines ?? 1) };
};

/** Stores the file unless this conversation shows its anchor; undefined where it was small and came whole. */
function* store({ file }: Asked, { received }: Place, query?: string): Generator<ToolCall, Kept | undefined, string> {
  for (const before of received) {
    const known = anchorOf(file, before);
    if (known) return { ...known, answer: '' };
  }
  const answer = yield* call('ctx_store_file', { path: file, ...(query !== undefined && { query }) });
  const kept = anchorOf(file, answer);
  return kept && { ...kept, answer };
}

/** The lines of an answer of ctx_search, best first by the question's terms, with their numbers in the document. */
const hitsIn = (found: string, terms: Terms): number[] => {
  const hits: { line: number; score: number }[] = [];
  let line = 0;
  for (const [, number, text = ''] of found.matchAll(/^(\d*)[>|](.*)$/gm)) {
    line = number ? Number(number) : line + 1;
    if (isPromising(text, terms)) hits.push({ line, score: score(text, terms) });
  }
  return hits.toSorted((a, b) => b.score - a.score).map((hit) => hit.line);
};

/** All the words; then the names alone, or what is left of the words without their first. */
const queries = ({ names, words }: Terms): string[] => {
  const all = [...names, ...words].join(' ');
  const fewer = names.length > 0 ? names.join(' ') : words.slice(1).join(' ');
  return [all, fewer].filter((query, n, every) => query !== '' && every.indexOf(query) === n);
};

/** `found` is what a search for the first of the queries gave already. */
function* search(asked: Asked, id: string, found: string): Step {
  const terms = termsOf(asked);
  const wasRead: [number, number][] = [];
  let last = found;
  for (const [n, query] of queries(terms).entries()) {
    if (n > 0 || found === '') last = yield* call('ctx_search', { query, doc: id });
    for (let hit = 0; hit < 2; hit++) {
      const best = hitsIn(last, terms).find((line) => !wasRead.some(([a, b]) => line >= a && line <= b));
      if (best === undefined) break;
      const [first, end] = around(best);
      wasRead.push([first, end]);
      yield* call('ctx_get', { id, lines: `${first}-${end}` });
    }
  }
  const cursor = /: cursor "([^"]+)"/.exec(last)?.[1];
  return cursor === undefined ? '' : yield* call('ctx_search', { query: queries(terms).at(-1), doc: id, cursor });
}

function* pages(id: string): Step {
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const text = yield* call('ctx_get', { id, ...(cursor === undefined ? {} : { cursor }) });
    cursor = /next cursor: (\S+)$/m.exec(text)?.[1];
    if (cursor === undefined) break;
  }
  return '';
}

const end = ({ id, lines }: Kept): Step => call('ctx_get', { id, lines: `${Math.max(1, lines - tailLines)}-${lines}` });

/** An agent that has Loom's tools besides Copilot's, and does what Loom's instructions say. */
export const withLoom: Policy = function* (asked, place) {
  const { program, short } = asked;
  if (short) return yield* without(asked, place);
  if (program) {
    if (program.peek) yield* store(asked, place);
    yield* call('run_python', { code: program.python });
    return;
  }
  const stored = yield* store(asked, place, queries(termsOf(asked))[0]);
  if (stored === undefined) return;
  if (isAboutEnd(asked)) yield* end(stored);
  yield* search(asked, stored.id, stored.answer);
  yield* pages(stored.id);
};
