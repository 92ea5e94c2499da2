import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledWords, wordsIn } from '#scripts/words.ts';

const root = join(import.meta.dirname, '..');

test('the words of every l10n.t are found, escapes resolved', () => {
  const source = `t(vscode.l10n.t('a {0}', x)); l10n.t(\n  "it's"\n); vscode.l10n.t('one\\ntwo', l10n.t('in\\'ner'))`;
  expect(wordsIn(source, 'x.ts')).toEqual(['a {0}', "it's", 'one\ntwo', "in'ner"]);
});

test.each(['l10n.t(words)', 'l10n.t(`a ${b}`)', "l10n.t({ message: 'a' })"])('%s cannot be translated', (source) => {
  expect(() => wordsIn(`\n${source}`, 'x.ts')).toThrow('x.ts:2: ');
});

test('the bundle that is packaged has them all', () => {
  const bundle = JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8')) as Record<string, string>;
  expect(bundle).toEqual(bundledWords(root));
  expect(Object.keys(bundle).length).toBeGreaterThan(50);
});
