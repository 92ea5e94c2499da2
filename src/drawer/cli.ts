// The drawer's verbs of `loom`.
import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { LoomError } from '#base/errors.ts';
import { counted, grouped, megabytes } from '#base/text.ts';
import type { GetArgs, Passage, SessionInfo, Source, Stored } from './types.ts';
import { readStream } from '#drawer/store/size.ts';
import { purgedText } from '#drawer/tools/purgedText.ts';
import { standingWords } from '#drawer/tools/passagesText.ts';
import { minute } from '#drawer/tools/sessionText.ts';
import { parseRange, type Range } from '#text/range.ts';
import { defineVerb, json, printJson, UsageError, type VerbCall } from '#base/verb.ts';

type Host = Pick<VerbCall<never, 'drawer'>, 'drawer' | 'write'>;

const session = { type: 'string', value: 'ID', meaning: 'loom sessions lists them' } as const;

/** The session `asked` for, which must be there, or the command line's own of this folder. */
const sessionFor = async ({ drawer }: Host, asked: string | undefined): Promise<string> => {
  if (asked === undefined) return drawer.session({ client: 'loom', root: process.cwd() });
  const all = await drawer.sessions({});
  if (all.some(({ id }) => id === asked)) return asked;
  throw new LoomError('NOT_FOUND', `There is no session "${asked}". loom sessions lists them.`);
};

type Given = { bytes: Buffer; title: string; source: Source };

const fileAt = async (word: string): Promise<Given> => {
  const path = resolve(word);
  try {
    // A pipe is read as well (`loom store <(npm test)`): a stream, since devices and pipes have no size.
    const bytes = await readStream(createReadStream(path), path);
    return { bytes, title: basename(path), source: { kind: 'editor', path } };
  } catch (error) {
    if (error instanceof LoomError) throw error;
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new LoomError('FILE_UNREADABLE', `${path} cannot be read (${why}). Check the path.`);
  }
};

const storedLine = ({ id, title, kind, bytes, lines, tokens, redactions, duplicate }: Stored): string =>
  [
    `${id}\t${title}: ${kind}, ${counted(bytes, 'byte')}, ${counted(lines, 'line')}, ${grouped(tokens)} tokens`,
    ...(duplicate ? ['was there already'] : []),
    ...(redactions.length > 0 ? [`${counted(redactions.length, 'secret')} masked`] : []),
  ].join('; ');

/** So long `loom store` waits for the search index; what is stored is durable before. */
const mostIndexMs = 60_000;

export const store = defineVerb({
  name: 'store',
  summary: 'store files, or what comes on stdin',
  needs: ['drawer'],
  words: { usage: '[FILE…]', least: 0, most: Infinity },
  options: {
    title: { type: 'string', value: 'T', meaning: 'what it is called' },
    keep: { type: 'boolean', meaning: 'never evict it' },
    session: { ...session, meaning: 'for the agent of this session (loom sessions), else for the command line itself' },
    json,
  },
  more: ['Examples: loom store build.log; npm test 2>&1 | loom store --title "npm test"'],
  run: async (call) => {
    const { drawer, words, options, input, print } = call;
    const own = await sessionFor(call, options.session);
    const stored: Stored[] = [];
    const storeOne = async ({ bytes, title, source }: Given): Promise<void> => {
      const about = { session: own, bytes, title: options.title ?? title, source, always: true } as const;
      const one = await drawer.store({ ...about, keep: options.keep });
      stored.push(one);
      if (!options.json) print(storedLine(one));
    };
    if (words.length === 0)
      await storeOne({
        bytes: await readStream(input(), 'What comes on stdin'),
        title: 'stdin',
        source: { kind: 'text' },
      });
    // One after the other: what is stored stays stored where a later one fails.
    for (const word of words) await storeOne(await fileAt(word));
    if (options.json) printJson(call, stored);
    const waiting = await drawer.settleIndex({ ms: mostIndexMs });
    if (waiting > 0)
      call.note(
        `${counted(waiting, 'chunk')} not indexed yet: searches read those themselves, and the next program that uses the drawer goes on.`,
      );
    return 0;
  },
});

/** The range that an option names, in the grammar of the tools. */
const range = (option: 'lines' | 'bytes', text: string | undefined): Range | undefined => {
  try {
    return text === undefined ? undefined : parseRange(text, option);
  } catch (error) {
    if (error instanceof LoomError) throw new UsageError(`--${error.message}`);
    throw error;
  }
};

/** Most UTF-16 units of one page: the drawer answers others in between. */
const pageUnits = 4_000_000;

const writePages = async ({ drawer, write }: Host, args: Omit<GetArgs, 'units' | 'cursor'>): Promise<void> => {
  let cursor: string | undefined;
  do {
    const page = await drawer.get({ ...args, units: pageUnits, cursor, encoding: 'base64' });
    for (const { text } of page.stretches) write(Buffer.from(text, 'base64'));
    cursor = page.cursor;
  } while (cursor !== undefined);
};

export const get = defineVerb({
  name: 'get',
  summary: 'write the exact bytes of a document or chunk to stdout',
  needs: ['drawer'],
  words: { usage: 'ID', least: 1, most: 1 },
  options: {
    lines: { type: 'string', value: 'A-B', meaning: 'only these lines, from 1; --lines=-20: the last 20' },
    bytes: { type: 'string', value: 'A-B', meaning: 'only these bytes, from 0' },
  },
  more: ['Examples: loom get d7 > build.log; loom get d7 --lines 120-180; loom get d7.12'],
  run: async (call) => {
    const [id = ''] = call.words;
    const lines = range('lines', call.options.lines);
    const bytes = range('bytes', call.options.bytes);
    const [document = id] = id.split('.');
    if (id === document && lines === undefined && bytes === undefined)
      call.write((await call.drawer.readDocument({ id })).bytes);
    else {
      const { info } = await call.drawer.documentInfo({ id: document });
      await writePages(call, { session: info.session, ids: [id], lines, bytes });
    }
    return 0;
  },
});

const passageText = (passage: Passage): string => {
  const { doc, title, lines, hits, text } = passage;
  const first = lines[0];
  const numbered = text
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((line, n) => `${String(first + n).padStart(7)}${hits.includes(first + n) ? ':' : ' '} ${line}`);
  const head = [`${doc} ${title}, lines ${lines[0]}-${lines[1]}`, ...standingWords(passage)].join('; ');
  return [head, ...numbered].join('\n');
};

/** All text of a search's answer together, in UTF-16 units. */
const searchUnits = 200_000;

export const search = defineVerb({
  name: 'search',
  summary: 'find passages in every session, best first',
  needs: ['drawer'],
  words: { usage: 'WORDS…', least: 1, most: Infinity },
  options: {
    regex: { type: 'boolean', meaning: 'the words are one pattern (RE2), matched line by line' },
    doc: { type: 'string', value: 'ID', meaning: 'only in this document' },
    session: { ...session, meaning: 'only in this session' },
    limit: { type: 'string', value: 'N', short: 'n', meaning: 'at most so many passages (10)' },
    json,
  },
  more: ['A colon marks the lines that match. The exit code is 1 where nothing does.'],
  run: async (call) => {
    const { drawer, options, words, print } = call;
    const limit = Number(options.limit ?? 10);
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError(`--limit ${options.limit} is no number above 0.`);
    const args = { query: words.join(' '), regex: options.regex, doc: options.doc, limit, units: searchUnits };
    const found =
      options.session === undefined
        ? await drawer.searchAll(args)
        : await drawer.search({ ...args, session: await sessionFor(call, options.session) });
    const { passages, more, searched } = found;
    if (options.json) printJson(call, found);
    else if (passages.length === 0) call.note(`Nothing found in ${counted(searched.documents, 'document')}.`);
    else print(passages.map(passageText).join('\n\n'));
    if (!options.json && more > 0) call.note(`${grouped(more)} more: --limit shows them.`);
    return passages.length === 0 ? 1 : 0;
  },
});

const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const sessionRow = ({ id, client, documents, bytes, usedAt, expired, root }: SessionInfo): string[] => [
  id,
  client,
  grouped(documents),
  megabytes(bytes),
  minute(usedAt),
  expired ? 'expired' : '',
  root,
];

export const sessions = defineVerb({
  name: 'sessions',
  summary: 'list the sessions: one a client and folder',
  needs: ['drawer'],
  options: { json },
  run: async (call) => {
    const all = await call.drawer.sessions({});
    if (call.options.json) printJson(call, all);
    else if (all.length === 0) call.note('No session yet: nothing was stored.');
    else
      call.print(
        table([['session', 'client', 'documents', 'size', 'last used', '', 'folder'], ...all.map(sessionRow)]),
      );
    return 0;
  },
});

export const purge = defineVerb({
  name: 'purge',
  summary: 'delete sessions with all they hold; without --confirm only say what would go',
  needs: ['drawer'],
  options: {
    expired: { type: 'boolean', meaning: 'those that nobody used for LOOM_TTL_DAYS' },
    session: { ...session, meaning: 'this one (loom sessions)' },
    confirm: { type: 'boolean', meaning: 'do it: what goes is gone for good' },
    json,
  },
  run: async (call) => {
    const { expired, session: asked, confirm } = call.options;
    if (expired === (asked !== undefined)) throw new UsageError('Give either --expired or --session ID.');
    const which = asked === undefined ? undefined : await sessionFor(call, asked);
    const purged = await call.drawer.purge({ session: which, own: '', confirm });
    const again = `loom purge ${which === undefined ? '--expired' : `--session ${which}`} --confirm`;
    if (call.options.json) printJson(call, purged);
    else call.print(purgedText(purged, '', again));
    return 0;
  },
});

export const vacuum = defineVerb({
  name: 'vacuum',
  summary: "compact the drawer's file",
  needs: ['drawer'],
  options: { json },
  run: async (call) => {
    const sizes = await call.drawer.vacuum({});
    if (call.options.json) printJson(call, sizes);
    else call.print(`${megabytes(sizes.before)} before, ${megabytes(sizes.after)} after.`);
    return 0;
  },
});
