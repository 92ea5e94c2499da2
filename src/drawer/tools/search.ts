// `ctx_search`: passages that match.
import { z } from 'zod';
import { counted, grouped, partLimit } from '#base/text.ts';
import type { Found } from '#drawer/types.ts';
import { defineTool, type ToolContext } from '#mcp/defineTool.ts';
import { ownSession, readInOwnOrThrow } from './ownSession.ts';
import { passagesText } from './passagesText.ts';

/** Room for the first line and each passage's own. */
const headerUnits = 900;
/** Most units of the passages' text in one part of an answer. */
export const passageUnits = partLimit - headerUnits;
const defaultLimit = 5;

const how = {
  all: '',
  any: ' (no passage has all words: any of them)',
  substring: ' (as a substring)',
  regex: '',
  none: '',
};

const unit = (matched: Found['matched'], more: number): string =>
  matched === 'regex' ? counted(more, 'matching line') + ' more' : `${grouped(more)} more`;

/** What could have been searched and was not. */
const olderNote = ({ older }: Found): string =>
  older === 0 ? '' : `${counted(older, 'older version')} of files not searched (versions: "all")`;

const nothing = (query: string, regex: boolean, found: Found, named: Named): string => {
  const { searched, otherSessions } = found;
  const older = olderNote(found);
  const documents = `${counted(searched.documents, 'document')}, ${counted(searched.chunks, 'chunk')} of this session`;
  const scope = older === '' ? documents : `${documents}; ${older}`;
  const others = otherSessions === 0 ? '' : ` Not searched: ${counted(otherSessions, 'document')} of other sessions.`;
  if (query.trim() === '') return 'The query is empty: give words that stand in the content.';
  const next =
    searched.documents === 0
      ? 'Store something first: ctx_store_file {"path": "…"}.'
      : regex
        ? 'A pattern is matched line by line, and case counts unless it begins with (?i).'
        : 'Try fewer or other words, a part of a word, or the spelling that the content uses.';
  return `No match for "${query}" in ${scope}.${others} ${named(next)}`;
};

/** What was looked at, and each passage's score and chunks, for whoever asks to have it explained. */
const reportOf = ({ matched, searched, otherSessions, passages }: Found): string[] => [
  `report: matched ${matched}; searched ${counted(searched.documents, 'document')}, ${counted(searched.chunks, 'chunk')}; not searched: ${counted(otherSessions, 'document')} of other sessions`,
  ...passages.map(
    ({ chunks, score }, n) => `  passage ${n + 1}: score ${score.toFixed(2)}, chunks ${chunks.join(' ')}`,
  ),
];

type Named = ToolContext['named'];
type Asked = { query: string; regex: boolean; explain: boolean };

/** What a search came to, in words. */
export const foundText = ({ query, regex, explain }: Asked, found: Found, named: Named): string => {
  const { passages, more, cursor, matched } = found;
  const report = explain ? reportOf(found) : [];
  if (passages.length === 0) return [nothing(query, regex, found, named), ...report].join('\n');
  const rest = more > 0 && cursor !== undefined ? `${unit(matched, more)}: cursor "${cursor}"` : 'no more';
  const head = [`${counted(passages.length, 'passage')}${how[matched]}`, rest, olderNote(found)];
  return [head.filter((words) => words !== '').join('; '), ...report, passagesText(passages)].join('\n');
};

const output = z.object({
  matched: z.enum(['all', 'any', 'substring', 'regex', 'none']).describe('How the words were matched.'),
  passages: z
    .array(
      z.object({
        doc: z.string().describe('Document id.'),
        title: z.string().describe('Its title.'),
        newer: z.string().optional().describe('The newer version of its file.'),
        lines: z.array(z.int()).describe('First and last line.'),
        hits: z.array(z.int()).describe('Lines that match.'),
        text: z.string().describe('These lines, exactly.'),
      }),
    )
    .describe('Best first.'),
  more: z.int().describe('Passages, or with regex lines, that were found and are not here.'),
  cursor: z.string().optional().describe('For those.'),
});

export const search = defineTool({
  name: 'ctx_search',
  title: 'Search the drawer',
  description:
    'Use to find something in what was stored: exact lines with document id and line numbers, best first. Plain words, no ' +
    'operators; names, paths, versions, error codes and parts of identifiers work. Not for files that were never stored ' +
    '(ctx_store_file them first).',
  toolsets: ['core', 'drawer'],
  effect: 'read',
  needs: ['drawer'],
  input: z.object({
    query: z.string().describe('Words to find.'),
    regex: z.boolean().optional().describe('query is a pattern (RE2), matched line by line.'),
    doc: z.string().optional().describe('Only in this document: d7.'),
    limit: z.int().min(1).max(50).optional().describe(`Most passages; default ${defaultLimit}.`),
    cursor: z.string().optional().describe('From the answer before, for more.'),
    versions: z
      .enum(['latest', 'all'])
      .optional()
      .describe('all: older versions of a file too, behind the newest; default latest.'),
    explain: z.boolean().optional().describe('Add scores, chunks and what was searched.'),
    session: ownSession,
  }),
  output,
  unlisted: ['versions', 'explain', 'session'],
  example: { query: 'connection refused port 5432', doc: 'd7' },
  run: async ({ query, regex = false, limit = defaultLimit, explain = false, session, ...rest }, context) => {
    const { drawer, caller, control, named } = context;
    readInOwnOrThrow(caller, session, rest.doc === undefined ? [] : [rest.doc]);
    const room = passageUnits - (explain ? 60 * limit : 0);
    const args = { session: caller.session, query, regex, limit, units: Math.max(1_000, room), ...rest };
    const found = await drawer.search(args, control);
    const returned = found.passages.map(({ text }) => text).join('');
    const passages = found.passages.map(({ doc, title, newer, lines, hits, text }) => ({
      doc,
      title,
      ...(newer !== undefined && { newer }),
      lines,
      hits,
      text,
    }));
    const { matched, more, cursor } = found;
    const structured = { matched, passages, more, ...(cursor !== undefined && { cursor }) };
    return { parts: [foundText({ query, regex, explain }, found, named)], returned, structured };
  },
});
