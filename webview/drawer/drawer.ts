// What the drawer's parts of the views share: its words, its questions, its commands.
import './drawer.css';
import type { DrawerAsks } from '#drawer/asks.ts';
import type { DrawerWords } from '#vscode/drawer/words.ts';
import type { Status } from '#vscode/views/protocol.ts';
import { asksOf, run } from '#webview/host.ts';
import { mega } from '#webview/ui/format.ts';
import { counted, fill, wordsOf } from '#webview/words.ts';

export const words = wordsOf<DrawerWords>('drawer');
export const ask = asksOf<DrawerAsks>('drawer');

/** Opens a document or a chunk in an editor, at a line counted from 1. */
export const openDocument = (id: string, ...line: readonly number[]): void => run('loom.openDocument', id, ...line);

/** `231 tokens`, or about as many. */
export const tokensOf = ({ tokens, tokensEstimated }: { tokens: number; tokensEstimated: boolean }): string => {
  const said = counted(tokens, words.tokens);
  return tokensEstimated ? fill(words.about, said) : said;
};

/** How full it is. */
export const usedOf = ({ usedBytes, maxBytes }: Status): string =>
  maxBytes > 0 ? fill(words.used, mega(usedBytes), mega(maxBytes)) : fill(words.usedReadOnly, mega(usedBytes));
