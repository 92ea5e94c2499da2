import { random, type Random } from '../../drawer/random.ts';
import { adjectives, gerund, nouns, past, plural, verbs } from './words.ts';

/** Something to be found again: a sentence that stands in one line of a document. */
export type Fact = {
  sentence: string;
  answer: string;
  /** The fact's words without its answer. */
  easy: string;
  /** Its words inflected and in another order, its unique name left out. */
  hard: string;
};

const shuffled = <T>(items: readonly T[], { below }: Random): T[] => {
  const order = items.slice();
  for (let i = order.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [order[i], order[j]] = [order[j] as T, order[i] as T];
  }
  return order;
};

const nameOf = ({ pick }: Random): string =>
  `${pick(['Bra', 'Dro', 'Fel', 'Gri', 'Hol', 'Jor', 'Kes', 'Lum', 'Mir', 'Nav', 'Ost', 'Pra', 'Ruk', 'Sel', 'Tov', 'Vek'])}${pick(['bi', 'cto', 'dra', 'fen', 'gal', 'lin', 'mor', 'nex', 'quil', 'ster', 'tan', 'vor'])}${pick(['a', 'ek', 'ium', 'on', 'us', 'yr'])}`;

const answerOf = ({ pick, below }: Random): string =>
  pick([
    () => `${10_000 + below(90_000)} ms`,
    () => `v${10 + below(80)}.${below(90)}.${below(90)}`,
    () => `QX-${10_000 + below(90_000)}`,
    () => `port ${10_000 + below(50_000)}`,
    () => `2031-${String(1 + below(12)).padStart(2, '0')}-${String(1 + below(28)).padStart(2, '0')}`,
    () => `${below(100)}.${100 + below(900)} percent`,
    () => `/opt/${pick(nouns)}/${10_000 + below(90_000)}.conf`,
  ])();

const makeFact = (from: Random): Fact => {
  const { pick } = from;
  const name = nameOf(from);
  const [a, b, c] = [pick(nouns), pick(nouns), pick(nouns)];
  const [verb, adjective] = [pick(verbs), pick(adjectives)];
  const answer = answerOf(from);
  const words = `${name} ${a} ${past(verb)} the ${adjective} ${b} of the ${c}`;
  const hard = shuffled([plural(a), gerund(verb), adjective, plural(b), plural(c)], from).join(' ');
  return { sentence: `${words}: ${answer}`, answer, easy: words, hard };
};

/** How each extension writes a remark. */
const remarks: Record<string, (text: string) => string> = {
  log: (text) => `2026-09-21T08:00:00.000Z INFO [note] ${text}`,
  yaml: (text) => `# ${text}`,
  yml: (text) => `# ${text}`,
  sql: (text) => `-- ${text}`,
  patch: (text) => `+  // ${text}`,
  diff: (text) => `+  // ${text}`,
  py: (text) => `# ${text}`,
  ts: (text) => `// ${text}`,
  js: (text) => `// ${text}`,
};

/** Plants ten facts at random lines; none of their answers stands anywhere else. */
export const plant = (lines: readonly string[], extension: string, seed: number): { text: string; facts: Fact[] } => {
  const from = random(seed);
  const before = lines.join('\n');
  const facts: Fact[] = [];
  while (facts.length < 10) {
    const fact = makeFact(from);
    if (!before.includes(fact.answer) && !facts.some(({ answer }) => answer === fact.answer)) facts.push(fact);
  }
  const remark = remarks[extension] ?? ((text: string): string => text);
  const planted = lines.slice();
  for (const { sentence } of facts) planted.splice(from.below(planted.length + 1), 0, remark(sentence));
  return { text: `${planted.join('\n')}\n`, facts };
};
