import type { CommonWords, Plural, Words } from '#vscode/views/words.ts';
import { number } from '#webview/ui/format.ts';

const all = JSON.parse(document.getElementById('view')?.dataset['words'] ?? '{}') as Words;

/** Words that no room has for itself, in the person's language: the extension writes them into the page. */
export const words: CommonWords = all.common;

/** The same with those of a room. */
export const wordsOf = <W extends object>(room: string): CommonWords & W =>
  ({ ...all.common, ...all.rooms[room] }) as CommonWords & W;

/** `template` with its `{0}`, `{1}` … filled in. */
export const fill = (template: string, ...parts: readonly string[]): string =>
  template.replaceAll(/\{(\d)\}/g, (whole, n: string) => parts[Number(n)] ?? whole);

/** `12 lines` in words: the form for `count`, with the count in it. */
export const counted = (count: number, [one, other]: Plural): string => fill(count === 1 ? one : other, number(count));
