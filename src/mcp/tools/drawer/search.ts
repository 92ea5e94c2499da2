import { z } from 'zod';
import { counted, grouped, partLimit } from '#base/text.ts';
import type { Found, Passage } from '#drawer/service.ts';
import { defineTool } from '#mcp/defineTool.ts';

/** Room for the first line and each passage's own. */
const headerUnits = 900;
const defaultLimit = 5;

const passageText = ({ doc, title, lines, hits, text }: Passage): string => {
  const shown = hits.length > 6 ? `${hits.slice(0, 6).join(', ')}, …` : hits.join(', ');
  return `[${doc} ${title} lines ${lines[0]}-${lines[1]}${shown === '' ? '' : `; hits ${shown}`}]\n${text.replace(/\r?\n$/, '')}`;
};

const how = { all: '', any: ' (no passage has all words: any of them)', substring: ' (as a substring)', none: '' };

const nothing = (query: string, { searched, otherSessions }: Found): string => {
  const scope = `${counted(searched.documents, 'document')}, ${counted(searched.chunks, 'chunk')} of this session`;
  const others =
    otherSessions === 0 ? '' : ` ${counted(otherSessions, 'document')} of other sessions were not searched.`;
  const next =
    searched.documents === 0
      ? 'Store something first: ctx_store_file {"path": "…"}.'
      : 'Try fewer or other words, a part of a word, or the spelling that the content uses.';
  return `No match for "${query}" in ${scope}.${others} ${next}`;
};

const render = (query: string, found: Found): string => {
  const { passages, more, cursor, matched } = found;
  if (passages.length === 0) return nothing(query, found);
  const rest = more > 0 && cursor !== undefined ? `; ${grouped(more)} more: cursor "${cursor}"` : '; no more';
  return [`${counted(passages.length, 'passage')}${how[matched]}${rest}`, ...passages.map(passageText)].join('\n');
};

export const search = defineTool({
  name: 'ctx_search',
  title: 'Search the drawer',
  description:
    'Use to find something in what was stored: exact lines with document id and line numbers, best first. Plain words, no ' +
    'operators; names, paths, versions, error codes and parts of identifiers work. Not for files that were never stored ' +
    '(ctx_store_file them first).',
  toolsets: ['core', 'drawer'],
  effect: 'read',
  input: z.object({
    query: z.string().describe('Words to find.'),
    doc: z.string().optional().describe('Only in this document: d7.'),
    limit: z.int().min(1).max(50).optional().describe(`Most passages; default ${defaultLimit}.`),
    cursor: z.string().optional().describe('From the answer before, for more.'),
  }),
  example: { query: 'connection refused port 5432', doc: 'd7' },
  run: async ({ query, limit = defaultLimit, ...rest }, { engine, caller, control }) => {
    const found = await engine.search(
      { session: caller.session, query, limit, units: partLimit - headerUnits, ...rest },
      control,
    );
    return { parts: [render(query, found)], returned: found.passages.map(({ text }) => text).join('') };
  },
});
