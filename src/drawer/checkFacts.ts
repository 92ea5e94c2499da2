import { LoomError } from '#base/errors.ts';
import type { Call } from '#base/operation.ts';
import { documentId, parseId } from './ids.ts';
import type { Window } from './match.ts';
import type { DrawerOperations } from './operations.ts';
import { parseQuery, type QueryWord } from './query.ts';
import { scan } from './scan.ts';
import { findChunks } from './search.ts';
import { fold } from './terms.ts';

type DrawerCall = Call<DrawerOperations>;

export type CheckArgs = {
  session: string;
  facts: readonly string[];
  /** Only in this document. */
  doc?: string | undefined;
};

/** Where a fact stands. Case, and how much white space there is between its words, make no difference. */
export type Checked = {
  fact: string;
  /** In an anchor, so that it is in the prompt already; only in the content; or nowhere. */
  state: 'anchor' | 'retrievable' | 'absent';
  doc: string | undefined;
  /** The first line, from 1, that holds it or its beginning. */
  line: number | undefined;
};

/** Chunks that are looked at in one operation. */
const batch = 32;
/** Anchors that are read in one operation. */
const anchorsAtOnce = 50;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** Finds a fact in a folded text, over line ends too. Linear: nothing in it can match in two ways. */
const patternOf = (fact: string): RegExp | undefined => {
  const words = fold(fact).split(/\s+/).filter(Boolean);
  return words.length === 0 ? undefined : new RegExp(words.map(escaped).join(String.raw`\s+`));
};

type Place = { doc: string; line: number };

const placeIn = (window: Window, pattern: RegExp): Place | undefined => {
  const bytes = Buffer.from(window.bytes.buffer, window.bytes.byteOffset, window.bytes.length);
  const text = fold(bytes.toString('utf8'));
  const at = text.search(pattern);
  if (at < 0) return undefined;
  return { doc: documentId(window.document), line: window.line + (text.slice(0, at).match(/\n/g)?.length ?? 0) };
};

type Chunk = { document: number; number: number };

/** The first place of a fact in some chunks and their neighbours, in the order of documents and lines. */
const firstPlace = async (
  call: DrawerCall,
  session: string,
  chunks: readonly Chunk[],
  pattern: RegExp,
): Promise<Place | undefined> => {
  const inOrder = chunks.toSorted((a, b) => a.document - b.document || a.number - b.number);
  for (let at = 0; at < inOrder.length; at += batch) {
    const named = inOrder.slice(at, at + batch).map(({ document, number }) => [document, number] as const);
    for (const window of await call('drawer.windows', { session, chunks: named })) {
      const place = placeIn(window, pattern);
      if (place) return place;
    }
  }
  return undefined;
};

/** The longest word: what a text that holds the fact must hold too, whatever stands around it. */
const longestOf = (words: readonly QueryWord[]): QueryWord | undefined =>
  words.toSorted((a, b) => b.core.length - a.core.length)[0];

const retrieve = async (call: DrawerCall, { session, doc }: CheckArgs, fact: string): Promise<Place | undefined> => {
  const pattern = patternOf(fact);
  const scope = { session, document: doc === undefined ? undefined : parseId(doc).document };
  if (!pattern) return undefined;
  const { hits, matched } = await findChunks(call, fact, scope);
  const place = matched === 'any' ? undefined : await firstPlace(call, session, hits, pattern);
  // Inside a longer word, or split over two chunks: only reading tells that it is nowhere.
  const longest = longestOf(parseQuery(fact));
  if (place || !longest) return place;
  const { unread } = await call('drawer.scope', { ...scope, whole: true });
  return firstPlace(call, session, await scan(call, unread, [longest], 'literal'), pattern);
};

type Shown = { doc: string; text: string };

/** Titles and anchors, as they were shown. */
const anchorsOf = async (call: DrawerCall, { session, doc }: CheckArgs): Promise<Shown[]> => {
  const document = doc === undefined ? undefined : parseId(doc).document;
  const shown: Shown[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: { id: number; title: string; anchor: Uint8Array }[] = await call('drawer.anchors', {
      session,
      document,
      after,
      most: anchorsAtOnce,
    });
    for (const { id, title, anchor } of page) {
      shown.push({ doc: documentId(id), text: fold(`${title}\n${Buffer.from(anchor).toString('utf8')}`) });
    }
    after = page.length === anchorsAtOnce ? page.at(-1)?.id : undefined;
  }
  return shown;
};

/** Says for each fact whether it is in an anchor, retrievable, or absent. Absent only where all content was looked at. */
export const checkFacts = async (call: DrawerCall, args: CheckArgs, signal?: AbortSignal): Promise<Checked[]> => {
  if (args.doc !== undefined) {
    await call('drawer.scope', { session: args.session, document: parseId(args.doc).document, whole: false });
  }
  const anchors = await anchorsOf(call, args);
  const checked: Checked[] = [];
  for (const fact of args.facts) {
    if (signal?.aborted) throw new LoomError('CANCELLED', 'The call was cancelled.');
    const pattern = patternOf(fact);
    const place = await retrieve(call, args, fact);
    // An anchor names what stands in its document; words of the anchor's own are no fact.
    const anchor = pattern && place && anchors.find(({ text }) => text.search(pattern) >= 0);
    const doc = anchor?.doc ?? place?.doc;
    const line = place?.doc === doc ? place?.line : undefined;
    checked.push({ fact, state: anchor ? 'anchor' : place ? 'retrievable' : 'absent', doc, line });
  }
  return checked;
};
