import { random, type Random } from '../../drawer/random.ts';
import { adjectives, nouns, past, verbs } from './words.ts';

export const types = ['review', 'config', 'incident', 'doc', 'analysis', 'session', 'migration'] as const;
export type Type = (typeof types)[number];

/** Tokens that a document of each size has, about. */
export const sizes = { small: 14_000, medium: 170_000, large: 1_200_000 };
export type Size = keyof typeof sizes;

/** What the values of a document are drawn from: as in real ones most repeat, and new ones keep coming. */
const valuesOf = (from: Random) => {
  const { below, pick } = from;
  const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
  const skewed = (most: number): number => Math.floor(most * (below(1000) / 1000) ** 3);
  const hex = (length: number): string => many(length, () => pick('0123456789abcdef'.split(''))).join('');
  const hosts = many(12, () => `10.${below(4)}.${below(16)}.${below(250)}`);
  const ports = many(8, () => 3000 + below(6000));
  const versions = many(14, () => `${below(6)}.${below(20)}.${below(12)}`);
  const paths = many(40, () => `/srv/${pick(nouns)}/${pick(nouns)}.${pick(['ts', 'sql', 'json', 'log'])}`);
  const hashes = many(10, () => hex(12));
  return {
    ms: () => `${skewed(400)} ms`,
    count: () => skewed(600),
    share: () => `${below(100)}%`,
    host: () => `${pick(hosts)}:${pick(ports)}`,
    version: () => pick(versions),
    path: () => pick(paths),
    hash: () => (below(30) === 0 ? hex(12) : pick(hashes)),
    id: () => `${pick(['ORD', 'REQ', 'JOB'])}-${skewed(900) + 100}`,
    day: () => `2026-${String(1 + below(12)).padStart(2, '0')}-${String(1 + below(28)).padStart(2, '0')}`,
  };
};

const sentence = ({ pick, below }: Random): string => {
  const [a, b, c] = [pick(nouns), pick(nouns), pick(nouns)];
  const verb = pick(verbs);
  return pick([
    `the ${a} ${past(verb)} the ${pick(adjectives)} ${b} of the ${c}`,
    `a ${pick(adjectives)} ${a} was ${past(verb)} by the ${b} before the ${c}`,
    `when the ${a} is ${past(verb)}, the ${pick(adjectives)} ${b} waits for the ${c}`,
    `${a} and ${b} were ${past(verb)} with ${below(2) === 0 ? 'one' : 'a second'} ${pick(adjectives)} ${c}`,
  ]);
};

/** Writes lines of one type of document until it is long enough; each call of the writer is one stretch of lines. */
type Writer = (from: Random, values: ReturnType<typeof valuesOf>, stretch: number) => string[];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const writers: Record<Type, Writer> = {
  review: (from, values, stretch) => {
    const file = `src/${from.pick(nouns)}/${from.pick(nouns)}.ts`;
    const body = Array.from({ length: 12 + from.below(12) }, () => {
      const [a, b] = [from.pick(nouns), from.pick(verbs)];
      return `${from.pick([' ', ' ', '+', '-'])}  const ${a} = await ${b}(${from.pick(nouns)}, ${values.count()});`;
    });
    return [
      `diff --git a/${file} b/${file}`, `index ${values.hash()}..${values.hash()} 100644`, `--- a/${file}`, `+++ b/${file}`,
      `@@ -${stretch + 1},${body.length} +${stretch + 1},${body.length} @@`, ...body, `// review: ${sentence(from)}, see ${values.id()}`,
    ];
  },
  config: (from, values) => [
    `# ${sentence(from)}`,
    `${from.pick(nouns)}_${from.pick(nouns)}:`,
    `  image: registry/${from.pick(nouns)}:${values.version()}`,
    `  listen: ${values.host()}`,
    `  ${from.pick(verbs)}_timeout: ${values.ms()}`,
    `  ${from.pick(nouns)}: ${from.pick(adjectives)}`,
    `  limits:`,
    `    ${from.pick(nouns)}: ${values.count()}`,
    `    ${from.pick(nouns)}: ${values.share()}`,
    `  file: ${values.path()}`,
  ],
  incident: (from, values, stretch) =>
    Array.from({ length: 10 }, (_, i) => {
      const at = new Date(1_790_000_000_000 + (stretch * 10 + i) * 731).toISOString();
      const level = from.below(40) === 0 ? 'ERROR' : from.below(12) === 0 ? 'WARN' : 'INFO';
      return `${at} ${level} [${from.pick(nouns)}] ${sentence(from)} in ${values.ms()} from ${values.host()} ${values.id()}`;
    }),
  doc: (from, values) => [
    `## ${capital(from.pick(adjectives))} ${from.pick(nouns)} of the ${from.pick(nouns)}`, '',
    ...Array.from({ length: 5 }, () => `${capital(sentence(from))}. ${capital(sentence(from))}, after ${values.ms()} at ${values.path()}.`), '',
    `- ${from.pick(nouns)} ${values.version()}: ${sentence(from)}`, `- ${from.pick(nouns)}: ${values.share()} since ${values.day()}`, '',
  ],
  analysis: (from, values) => [
    `${capital(sentence(from))}; ${values.share()} of the ${from.pick(nouns)}.`,
    ...Array.from({ length: 8 }, () => `| ${from.pick(nouns)} | ${from.pick(adjectives)} | ${values.count()} | ${values.share()} | ${values.ms()} | ${values.day()} |`),
  ],
  session: (from, values) => [
    `user: why was it that ${sentence(from)}?`,
    `assistant: I look at ${values.path()} first; ${sentence(from)}.`,
    `tool: ${values.path()}:${values.count()}: ${from.pick(verbs)}(${from.pick(nouns)}) exit ${from.below(3)} in ${values.ms()}`,
    `tool: ${from.pick(nouns)}=${values.count()} ${from.pick(nouns)}=${values.hash()}`,
    `assistant: ${capital(sentence(from))}, so ${values.id()} can be closed.`,
  ],
  migration: (from, values, stretch) => {
    const table = `${from.pick(nouns)}_${from.pick(nouns)}`;
    return [
      `-- step ${stretch}: ${sentence(from)}`,
      `create table ${table} (`,
      ...Array.from({ length: 4 }, () => `  ${from.pick(adjectives)}_${from.pick(nouns)} ${from.pick(['integer', 'text', `varchar(${values.count()})`])} not null,`),
      `  id integer primary key);`,
      `insert into ${table} values (${values.count()}, '${from.pick(nouns)}', '${values.day()}', ${values.count()});`,
      `create index on ${table} (${from.pick(nouns)}); -- ${values.version()}`,
    ];
  },
}; // prettier-ignore

export const extensions: Record<Type, string> = {
  review: 'patch', config: 'yaml', incident: 'log', doc: 'md', analysis: 'txt', session: 'txt', migration: 'sql',
}; // prettier-ignore

/** Characters of a token in such text, about. */
const unitsAToken = 3.2;

/** The lines of one document. */
export const makeLines = (type: Type, size: Size, seed: number): string[] => {
  const from = random(seed);
  const values = valuesOf(from);
  const lines: string[] = [];
  for (let units = 0, stretch = 0; units < sizes[size] * unitsAToken; stretch++) {
    for (const line of writers[type](from, values, stretch)) {
      lines.push(line);
      units += line.length + 1;
    }
  }
  return lines;
};
