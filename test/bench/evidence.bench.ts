/*
 * How much of what a document says is found again, and for how many tokens: `npm run bench evidence -- [--seed N]
 * [--src DIR] [--sizes small,medium,large] [--limit N] [--context-mode FOLDER]`. Ten facts are planted in each document.
 * The policy is a model's: the anchor first, then one ctx_search where the answer is not in it. A fact is answered by an
 * anchor only where its whole sentence stands there: an answer among the values listed says nothing without its question.
 * Tokens by the ledger's tokenizer, times in processor time of this thread, since a busy machine makes others longer.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { listingTexts } from '#mcp/listing/prompt.ts';
import { listingFor } from '../fixtures.ts';
import { extensions, makeLines, sizes, types, type Size } from './evidence/documents.ts';
import { plant, type Fact } from './evidence/facts.ts';
import { contextMode, grep, isAnswered, type Rival } from './evidence/rivals.ts';
import { openSubject, tokensOf } from './evidence/subject.ts';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    src: { type: 'string' },
    sizes: { type: 'string', default: 'small,medium,large' },
    limit: { type: 'string', default: '1' },
    'context-mode': { type: 'string' },
  },
});
const seed = Number(options.seed);
const limit = Number(options.limit);

type Group = Size | 'file';
type Document = { name: string; group: Group; extension: string; lines: () => string[] };

const filesOf = (folder: string): Document[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/node_modules|[\\/]\.git/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size > 0 && !readFileSync(path).subarray(0, 4096).includes(0))
    .toSorted()
    .map((path) => ({
      name: relative(folder, path),
      group: 'file',
      extension: extname(path).slice(1) || 'txt',
      lines: () => readFileSync(path, 'utf8').split('\n'),
    }));

const generated: Document[] = (Object.keys(sizes) as Size[])
  .filter((size) => options.sizes.split(',').includes(size))
  .flatMap((size) =>
    types.map((type, i) => ({
      name: `${type}-${size}`,
      group: size,
      extension: extensions[type],
      lines: () => makeLines(type, size, seed * 1000 + i),
    })),
  );
const documents = [...generated, ...(options.src === undefined ? [] : filesOf(options.src))];

const profiles = { strict: 900, balanced: 500, aggressive: 200 };
type Profile = keyof typeof profiles;
/** Anchors of the published run, as shares of their documents, and what they covered. */
const published: Record<Profile, Record<Size, { saved: number; coverage: number }>> = {
  strict: { small: { saved: 56.68, coverage: 99.34 }, medium: { saved: 94.33, coverage: 76.78 }, large: { saved: 98.99, coverage: 24.99 } },
  balanced: { small: { saved: 72.51, coverage: 94.56 }, medium: { saved: 96.54, coverage: 56.29 }, large: { saved: 99.6, coverage: 10.68 } },
  aggressive: { small: { saved: 84.29, coverage: 80.03 }, medium: { saved: 98.37, coverage: 38.16 }, large: { saved: 99.86, coverage: 4.12 } },
}; // prettier-ignore

const mean = (all: readonly number[]): number => (all.length === 0 ? NaN : all.reduce((a, b) => a + b, 0) / all.length);
const percentile = (all: readonly number[], share: number): number =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? NaN;
const percent = (share: number): string => (Number.isNaN(share) ? '-' : `${(share * 100).toFixed(2)} %`);
const whole = (n: number): string => (Number.isNaN(n) ? '-' : n.toFixed(0));
const part = <T>(all: readonly T[], test: (each: T) => boolean): number =>
  mean(all.map((each) => (test(each) ? 1 : 0)));

type Asked = { fact: Fact; tokens: number; found: boolean; ms: number };
type Result = {
  name: string;
  group: Group;
  tokens: number;
  storeMs: number;
  easy: Asked[];
  hard: Asked[];
  anchors: Record<Profile, { tokens: number; coverage: number; holds: boolean[]; ms: number }>;
  atPublished: Partial<Record<Profile, { tokens: number; coverage: number }>>;
  different: number;
  retrievable: number;
  lossless: boolean;
  lost: number;
  rivals: Record<string, { easy: Asked[]; hard: Asked[] }>;
};

const subject = await openSubject();
const rivals = [grep(), options['context-mode'] && contextMode(options['context-mode'])].filter(
  (rival): rival is Rival => typeof rival === 'object',
);

const ask = async (id: string, facts: readonly Fact[], form: 'easy' | 'hard'): Promise<Asked[]> => {
  const asked: Asked[] = [];
  for (const fact of facts) {
    const { call, answer, ms } = await subject.search(fact[form], id, limit);
    asked.push({ fact, tokens: tokensOf(call) + tokensOf(answer), found: isAnswered(answer, fact), ms });
  }
  return asked;
};

const askRival = async (
  rival: Rival,
  text: string,
  extension: string,
  facts: readonly Fact[],
  form: 'easy' | 'hard',
) => {
  const questions = facts.map((fact) => fact[form]);
  const answers = await rival.answers(text, extension, questions);
  return facts.map((fact, i): Asked => {
    const { call = '', answer = '' } = answers[i] ?? {};
    return { fact, tokens: tokensOf(call) + tokensOf(answer), found: isAnswered(answer, fact), ms: 0 };
  });
};

const measure = async (document: Document, index: number): Promise<Result> => {
  const { text, facts } = plant(document.lines(), document.extension, seed * 77 + index);
  const title = `${document.name}.${document.extension}`.replace(/(\.\w+)\1$/, '$1');
  const { id, ms: storeMs } = await subject.store(text, title);
  const anchors = {} as Result['anchors'];
  const atPublished: Result['atPublished'] = {};
  let tokens = 0;
  let different = 0;
  for (const profile of Object.keys(profiles) as Profile[]) {
    const made = await subject.anchor(text, title, profile === 'strict' ? undefined : profiles[profile]);
    const holds = facts.map(({ sentence }) => made.text.includes(sentence));
    anchors[profile] = { tokens: made.tokens, coverage: made.coverage, holds, ms: made.ms };
    tokens = made.prepared.document.tokens;
    different = made.prepared.different;
    if (document.group === 'file') continue;
    const { saved } = published[profile][document.group];
    const same = await subject.anchor(text, title, Math.round(tokens * (1 - saved / 100)));
    atPublished[profile] = { tokens: same.tokens, coverage: same.coverage };
  }
  const easy = await ask(id, facts, 'easy');
  const hard = await ask(id, facts, 'hard');
  const { lossless, invariants, retrieved } = await subject.verify(id);
  const retrievable = invariants === 0 ? 1 : retrieved / invariants;
  const others: Result['rivals'] = {};
  for (const rival of rivals) {
    others[rival.name] = {
      easy: await askRival(rival, text, document.extension, facts, 'easy'),
      hard: await askRival(rival, text, document.extension, facts, 'hard'),
    };
  }
  const { name, group } = document;
  const lost = invariants - retrieved;
  return {
    name,
    group,
    tokens,
    storeMs,
    easy,
    hard,
    anchors,
    atPublished,
    different,
    retrievable,
    lossless,
    lost,
    rivals: others,
  };
};

const results: Result[] = [];
for (const [index, document] of documents.entries()) {
  results.push(await measure(document, index));
  process.stderr.write(`\r${index + 1} of ${documents.length} documents`);
}
process.stderr.write('\n');
await subject.close();
for (const rival of rivals) await rival.close();

const groups = Array.from(new Set(results.map(({ group }) => group)));
const profileNames = Object.keys(profiles) as Profile[];
/** Tokens that a question costs behind an anchor: nothing where the anchor answers it. */
const questionCost = ({ anchors, easy }: Result, profile: Profile): number =>
  mean(easy.map(({ tokens }, i) => (anchors[profile].holds[i] ? 0 : tokens)));
/** Whoever reads the document without a drawer makes a call too, and names the same path. */
const pathCall = tokensOf(JSON.stringify({ path: 'logs/service.log' }));
const netOf = (result: Result, profile: Profile): number =>
  1 - (pathCall + result.anchors[profile].tokens + questionCost(result, profile)) / (pathCall + result.tokens);
const answered = (own: readonly Result[], profile: Profile, form: 'easy' | 'hard'): number =>
  part(
    own.flatMap((result) => result[form].map(({ found }, i) => found || result.anchors[profile].holds[i])),
    Boolean,
  );

console.log(
  `seed ${seed}, limit ${limit}; listing (core toolset) ${tokensOf(listingTexts(listingFor('core'), 'vscode').join(''))} tokens a turn, in no figure below`,
);
for (const group of groups) {
  const own = results.filter((result) => result.group === group);
  console.log(
    `\n${group}: ${own.length} documents, ${whole(mean(own.map(({ tokens }) => tokens)))} tokens, ${whole(mean(own.map(({ different }) => different)))} different invariants on average`,
  );
  console.table(
    Object.fromEntries(
      profileNames.map((profile) => [
        profile,
        {
          'anchor tokens': whole(mean(own.map(({ anchors }) => anchors[profile].tokens))),
          saved: percent(mean(own.map(({ anchors, tokens }) => 1 - anchors[profile].tokens / tokens))),
          coverage: percent(mean(own.map(({ anchors }) => anchors[profile].coverage))),
          'by anchor': percent(
            part(
              own.flatMap(({ anchors }) => anchors[profile].holds),
              Boolean,
            ),
          ),
          'easy, 1 search': percent(answered(own, profile, 'easy')),
          'hard, 1 search': percent(answered(own, profile, 'hard')),
          'net, 1 question': percent(mean(own.map((result) => netOf(result, profile)))),
          'least net': percent(Math.min(...own.map((result) => netOf(result, profile)))),
          'anchor ms': whole(mean(own.map(({ anchors }) => anchors[profile].ms))),
        },
      ]),
    ),
  );
  const searches = own.flatMap(({ easy, hard }) => [...easy, ...hard]);
  console.table({
    search: {
      easy: percent(
        part(
          own.flatMap(({ easy }) => easy),
          ({ found }) => found,
        ),
      ),
      hard: percent(
        part(
          own.flatMap(({ hard }) => hard),
          ({ found }) => found,
        ),
      ),
      'tokens with call': whole(mean(searches.map(({ tokens }) => tokens))),
      'p50 ms': percentile(
        searches.map(({ ms }) => ms),
        0.5,
      ).toFixed(1),
      'p95 ms': percentile(
        searches.map(({ ms }) => ms),
        0.95,
      ).toFixed(1),
      'store ms': whole(mean(own.map(({ storeMs }) => storeMs))),
      retrievable: mean(own.map(({ retrievable }) => retrievable)),
      lossless: part(own, ({ lossless }) => lossless),
      lost: own.reduce((sum, { lost }) => sum + lost, 0),
    },
    ...Object.fromEntries(
      rivals.map(({ name }) => {
        const easy = own.flatMap((result) => result.rivals[name]?.easy ?? []);
        const hard = own.flatMap((result) => result.rivals[name]?.hard ?? []);
        return [
          name,
          {
            easy: percent(part(easy, ({ found }) => found)),
            hard: percent(part(hard, ({ found }) => found)),
            'tokens with call': whole(mean([...easy, ...hard].map(({ tokens }) => tokens))),
          },
        ];
      }),
    ),
  });
  if (group === 'file') continue;
  console.table(
    Object.fromEntries(
      profileNames.map((profile) => [
        `${profile}, at the published size`,
        {
          'anchor tokens': whole(mean(own.map(({ atPublished }) => atPublished[profile]?.tokens ?? NaN))),
          coverage: percent(mean(own.map(({ atPublished }) => atPublished[profile]?.coverage ?? NaN))),
          published: `${published[profile][group].coverage} %`,
        },
      ]),
    ),
  );
}
const missed = results.flatMap(({ name, easy, hard }) => [
  ...easy.filter(({ found }) => !found).map(({ fact }) => `${name} easy: ${fact.easy}`),
  ...hard.filter(({ found }) => !found).map(({ fact }) => `${name} hard: ${fact.hard} (${fact.sentence})`),
]);
if (missed.length > 0) console.log(`\nnot found by one search:\n${missed.slice(0, 40).join('\n')}`);
