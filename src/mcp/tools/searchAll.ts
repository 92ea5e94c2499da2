// loom_search: the first hits in every room at once.
import { z } from 'zod';
import { asLoomError } from '#base/errors.ts';
import { partLimit } from '#base/text.ts';
import { defineTool } from '#mcp/defineTool.ts';

const defaultLimit = 3;
/** Room for the headings and the calls that go on. */
const headerUnits = 1_500;
/** What each room but the first may take of an answer: ten lines of outputs, say. */
const otherUnits = 330;
const mostOthers = 10;

/** A part that fails is said to be missing; the other ones are still an answer. */
const notSearched = (title: string, reason: unknown): string => {
  const { code, message } = asLoomError(reason);
  return `${title}: not searched (${code}${code === 'INTERNAL' ? '' : `: ${message}`}).`;
};

export const searchAll = defineTool({
  name: 'loom_search',
  title: 'Search drawer and Python outputs at once',
  description:
    'Use when you do not know whether something was stored or printed: searches the documents of your session and the outputs of ' +
    'its Python cells at once. Not for more than the first hits: each part names the call that goes on.',
  toolsets: [],
  effect: 'read',
  needs: ['overviews'],
  input: z.object({
    query: z.string().min(1).describe('Words to find.'),
    limit: z.int().min(1).max(20).optional().describe(`Most hits of each part; default ${defaultLimit}.`),
  }),
  example: { query: 'connection refused 5432' },
  run: async ({ query, limit = defaultLimit }, { overviews }) => {
    const finders = overviews.flatMap(({ title, find }) => (find === undefined ? [] : [{ title, find }]));
    const others = (finders.length - 1) * otherUnits * Math.min(limit, mostOthers);
    const units = Math.max(1_000, partLimit - headerUnits - others);
    const found = await Promise.allSettled(finders.map(({ find }) => find({ query, limit, units })));
    const failed = found.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    if (failed.length === found.length) throw failed[0];
    const parts = found.map((one, n) =>
      one.status === 'fulfilled' ? one.value.text : notSearched(finders[n]?.title ?? '', one.reason),
    );
    const returned = found.map((one) => (one.status === 'fulfilled' ? (one.value.returned ?? '') : '')).join('');
    return { parts: [parts.join('\n\n')], returned };
  },
});
