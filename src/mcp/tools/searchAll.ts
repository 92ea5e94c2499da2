import { z } from 'zod';
import { asLoomError } from '#base/errors.ts';
import { counted, grouped, partLimit } from '#base/text.ts';
import type { Found } from '#drawer/types.ts';
import type { FoundInHistory } from '#kernel/types.ts';
import { defineTool, type ToolContext } from '#mcp/defineTool.ts';
import { passageText } from '#drawer/tools/search.ts';

const defaultLimit = 3;
/** Room for the headings and the calls that go on. */
const headerUnits = 1_500;

type Named = ToolContext['named'];

const drawerSection = (query: string, found: Found, named: Named): string => {
  const { passages, more, searched, otherSessions } = found;
  const scope = counted(searched.documents, 'document');
  const others = otherSessions === 0 ? '' : `; ${counted(otherSessions, 'document')} of other sessions not searched`;
  if (passages.length === 0) return `Drawer: no match in ${scope}${others}.`;
  const next =
    more > 0 ? [named(`${grouped(more)} more: ctx_search ${JSON.stringify({ query, cursor: found.cursor })}`)] : [];
  const head = `Drawer: ${counted(passages.length, 'passage')} of ${scope}${others}`;
  return [head, ...passages.map(passageText), ...next].join('\n');
};

const pythonSection = (query: string, { lines, more, searched }: FoundInHistory, named: Named): string => {
  if (searched === undefined) return 'Python: no cell has been run in this session.';
  const scope = `In [${searched[0]}] to In [${searched[1]}]`;
  const [first] = lines;
  if (first === undefined) return `Python: no line with all these words in ${scope}.`;
  const { execution } = first;
  const next = `${more > 0 ? `${grouped(more)} more` : 'in context'}: search_python_output ${JSON.stringify({ execution, query, query_mode: 'literal' })}`;
  return [
    `Python: ${counted(lines.length, 'line')} in ${scope}`,
    ...lines.map(({ execution: cell, line, text }) => `In [${cell}] line ${line}: ${text}`),
    named(next),
  ].join('\n');
};

/** A part that fails is said to be missing; the other one is still an answer. */
const section = <R>(name: string, found: PromiseSettledResult<R>, text: (found: R) => string): string => {
  if (found.status === 'fulfilled') return text(found.value);
  const { code, message } = asLoomError(found.reason);
  return `${name}: not searched (${code}${code === 'INTERNAL' ? '' : `: ${message}`}).`;
};

export const searchAll = defineTool({
  name: 'loom_search',
  title: 'Search drawer and Python outputs at once',
  description:
    'Use when you do not know whether something was stored or printed: searches the documents of your session and the outputs of ' +
    'its Python cells at once. Not for more than the first hits: each part names the call that goes on.',
  toolsets: [],
  effect: 'read',
  input: z.object({
    query: z.string().min(1).describe('Words to find.'),
    limit: z.int().min(1).max(20).optional().describe(`Most hits of each part; default ${defaultLimit}.`),
  }),
  example: { query: 'connection refused 5432' },
  run: async ({ query, limit = defaultLimit }, { engine, kernel, caller, control, named }) => {
    const { session } = caller;
    const python = Math.min(limit, 10);
    const units = partLimit - headerUnits - 330 * python;
    const [drawer, outputs] = await Promise.allSettled([
      engine.search({ session, query, limit, units }, control),
      kernel.searchHistory({ session, query, limit: python }, control),
    ]);
    if (drawer.status === 'rejected' && outputs.status === 'rejected') throw drawer.reason;
    const parts = [
      section('Drawer', drawer, (found) => drawerSection(query, found, named)),
      section('Python', outputs, (found) => pythonSection(query, found, named)),
    ];
    const returned = drawer.status === 'fulfilled' ? drawer.value.passages.map(({ text }) => text).join('') : undefined;
    return { parts: [parts.join('\n\n')], returned };
  },
});
