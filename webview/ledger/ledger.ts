// What the ledger's parts of the views share: its words and its questions.
import './ledger.css';
import type { LedgerAsks } from '#ledger/asks.ts';
import type { LedgerWords } from '#vscode/ledger/words.ts';
import { asksOf } from '#webview/host.ts';
import { wordsOf } from '#webview/words.ts';

export const words = wordsOf<LedgerWords>('ledger');
export const ask = asksOf<LedgerAsks>('ledger');
