import type { Plural, Words } from '#vscode/views/protocol.ts';
import { number } from '#webview/ui/format.ts';

/** The words, in the person's language: the extension writes them into the page. */
export const words = JSON.parse(document.getElementById('view')?.dataset['words'] ?? '{}') as Words;

/** `template` with its `{0}`, `{1}` … filled in. */
export const fill = (template: string, ...parts: readonly string[]): string =>
  template.replaceAll(/\{(\d)\}/g, (whole, n: string) => parts[Number(n)] ?? whole);

/** `12 lines` in words: the form for `count`, with the count in it. */
export const counted = (count: number, [one, other]: Plural): string => fill(count === 1 ? one : other, number(count));
