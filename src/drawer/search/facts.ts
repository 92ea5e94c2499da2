// Says of facts whether they stand in an anchor, only in what is stored, or nowhere.
import type { CheckedFact } from '#drawer/contents.ts';
import { documentId, parseId } from '#drawer/ids.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import type { CheckArgs } from '#drawer/types.ts';
import { phraseLines, phrasePattern } from '#text/phrase.ts';
import { parseQuery, type QueryWord } from '#text/query.ts';
import { fold } from '#text/terms.ts';
import { findChunks } from './findChunks.ts';
import { scan } from './scan.ts';
import type { ChunkWindow } from './windows.ts';

/** Places told of each fact. */
const mostPlaces = 3;
/** Chunks that are looked at in one operation. */
const batch = 32;
/** Anchors that are read in one operation. */
const anchorsAtOnce = 50;

type Place = CheckedFact['places'][number];

const placesIn = ({ document, title, line, bytes }: ChunkWindow, pattern: RegExp): Place[] => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  return phraseLines(text, pattern, line).map((lines) => ({ doc: documentId(document), title, lines }));
};

type Chunk = { document: number; number: number };

/** The first places of a fact in some chunks and their neighbours, each once, in the order of documents and lines. */
const placesAmong = async (
  call: DrawerCall,
  session: string,
  chunks: readonly Chunk[],
  pattern: RegExp,
): Promise<Place[]> => {
  const found = new Map<string, Place>();
  const inOrder = chunks.toSorted((a, b) => a.document - b.document || a.number - b.number);
  for (let at = 0; at < inOrder.length && found.size < mostPlaces; at += batch) {
    const named = inOrder.slice(at, at + batch).map(({ document, number }) => [document, number] as const);
    for (const window of await call('drawer.windows', { session, chunks: named })) {
      for (const place of placesIn(window, pattern)) found.set(`${place.doc}:${place.lines[0]}`, place);
    }
  }
  return Array.from(found.values()).slice(0, mostPlaces);
};

/** The longest word: what a text that holds the fact must hold too, whatever stands around it. */
const longestOf = (words: readonly QueryWord[]): QueryWord | undefined =>
  words.toSorted((a, b) => b.core.length - a.core.length)[0];

const retrieve = async (call: DrawerCall, { session, doc }: CheckArgs, fact: string): Promise<Place[]> => {
  const pattern = phrasePattern(fact);
  const scope = { session, document: doc === undefined ? undefined : parseId(doc).document, versions: 'all' as const };
  if (!pattern) return [];
  const { hits, matched } = await findChunks(call, fact, scope);
  const places = matched === 'any' ? [] : await placesAmong(call, session, hits, pattern);
  if (places.length > 0) return places;
  // Inside a longer word, or split over two chunks: only reading tells that it is nowhere.
  const longest = longestOf(parseQuery(fact));
  if (!longest) return [];
  const { unread } = await call('drawer.scope', { ...scope, whole: true });
  return placesAmong(call, session, await scan(call, unread, [longest], 'literal'), pattern);
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

/** Absent is only what all content was looked at for. */
export const checkFacts = async (call: DrawerCall, args: CheckArgs): Promise<CheckedFact[]> => {
  if (args.doc !== undefined) {
    await call('drawer.scope', { session: args.session, document: parseId(args.doc).document, whole: false });
  }
  const anchors = await anchorsOf(call, args);
  const checked: CheckedFact[] = [];
  for (const fact of args.facts) {
    const pattern = phrasePattern(fact);
    const places = await retrieve(call, args, fact);
    // An anchor names what stands in its document; words of the anchor's own are no fact.
    const anchor =
      pattern && places.length > 0 ? anchors.find(({ text }) => text.search(pattern) >= 0)?.doc : undefined;
    const where = anchor === undefined ? (places.length > 0 ? 'retrievable' : 'absent') : 'anchor';
    checked.push({ fact, where, places, anchor });
  }
  return checked;
};
