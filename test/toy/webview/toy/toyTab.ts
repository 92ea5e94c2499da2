import type { ToyAsks } from '#toy/asks.ts';
import type { ToyWords } from '#vscode/toy/words.ts';
import { asksOf, run } from '#webview/host.ts';
import { defineTab, type Part, type TabContext } from '#webview/tab.ts';
import { button } from '#webview/ui/components.ts';
import { html, swap } from '#webview/ui/dom.ts';
import { repeating } from '#webview/ui/repeating.ts';
import { wordsOf } from '#webview/words.ts';

const words = wordsOf<ToyWords>('toy');
const ask = asksOf<ToyAsks>('toy');

const row = (word: string): HTMLElement =>
  html(
    'p',
    {},
    word,
    button(words.turn, 'secondary', () => run('loom.toy.turn', word)),
  );

const create = ({ snapshot }: TabContext): Part => {
  const element = html('div', {});
  const update = repeating(
    () => ask('words', { session: snapshot().session }),
    (all) => swap(element, ...all.map(row)),
    (message) => swap(element, message),
  );
  return { element, update };
};

/** The words of this window's session, and a button that turns each around. */
export const toy = defineTab({ id: 'toy', title: words.toy, place: 9, create });
