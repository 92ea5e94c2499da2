import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const call = /\bl10n\.t\(/g;
const literal = /^\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/;

/** The text that a literal stands for; its escapes are few. */
const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, (_, of: string) => (of === 'n' ? '\n' : of));

/** The words of each `l10n.t(…)` in `source`. Only a plain literal can be translated: anything else is refused. */
export const wordsIn = (source: string, file: string): string[] =>
  [...source.matchAll(call)].map(({ 0: found, index }) => {
    const match = literal.exec(source.slice(index + found.length));
    const text = match?.[1] ?? match?.[2];
    if (text !== undefined) return unescaped(text);
    const line = source.slice(0, index).split('\n').length;
    throw new Error(`${file}:${line}: l10n.t needs its words as one plain literal, with {0} for what varies`);
  });

/** `l10n/bundle.l10n.json`: every text that the extension shows a person, sorted, under itself. */
export const bundledWords = (root: string): Record<string, string> => {
  const files = globSync('src/{vscode/**/*,extension}.ts', { cwd: root });
  const words = files.flatMap((file) => wordsIn(readFileSync(join(root, file), 'utf8'), file));
  return Object.fromEntries([...new Set(words)].toSorted().map((text) => [text, text]));
};
