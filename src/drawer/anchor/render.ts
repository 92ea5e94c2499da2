// The first and last lines of an anchor around its body: what the document is, and how to go on.
import { counted, grouped } from '#base/text.ts';
import type { Kind } from '#drawer/contents.ts';
import { chunkId, documentId } from '#drawer/ids.ts';
import { budgets } from './budgets.ts';

/** What an anchor's first and last lines say of a document. */
export type Described = {
  title: string;
  kind: Kind;
  bytes: number;
  lines: number;
  chunks: number;
  tokens: number;
  tokensEstimated: boolean;
  sha256: string;
  /** Tokens that the anchor was made for; those of a profile go by its name. */
  budget: number;
  /** A line worth looking at first, from 1. */
  focus: number;
};

/** An id as wide as any that will be given out for long: the anchor is measured before its id is known. */
export const wideId = 999_999;

const profileWords = (budget: number): string => {
  const named = Object.entries(budgets).find(([, tokens]) => tokens === budget);
  return named ? `profile ${named[0]}` : `budget ${grouped(budget)}`;
};

const header = (id: number, about: Described, counter: string): string =>
  [
    `${documentId(id)} ${about.title}`,
    [
      about.kind,
      counted(about.bytes, 'byte'),
      counted(about.lines, 'line'),
      `chunks ${chunkId(id, 1)} to ${chunkId(id, about.chunks)}`,
      `${about.tokensEstimated ? 'about ' : ''}${counted(about.tokens, 'token')} (${counter})`,
      `sha256 ${about.sha256.slice(0, 12)}`,
      profileWords(about.budget),
      'complete: no, this is its anchor',
    ].join(' · '),
  ].join('\n');

/** Lines that the example of a next call asks for. */
const exampleLines = 60;

const footer = (id: number, { focus, lines, kind, bytes }: Described): string => {
  const first = Math.max(1, Math.min(focus - 10, lines - exampleLines + 1));
  const range =
    kind === 'binary' || lines < 2
      ? `"bytes":"0-${Math.min(bytes, 4096) - 1}"`
      : `"lines":"${first}-${Math.min(lines, first + exampleLines - 1)}"`;
  return `next: ctx_search {"doc":"${documentId(id)}","query":"…"} or ctx_get {"id":"${documentId(id)}",${range}}`;
};

export const renderAnchor = (id: number, about: Described, body: string, counter: string): string =>
  [header(id, about, counter), body, footer(id, about)].filter(Boolean).join('\n');
