// `loom_ledger`: the entries behind the sums.
import { z } from 'zod';
import { LoomError } from '#base/errors.ts';
import { counted, grouped, partLimit } from '#base/text.ts';
import { formats } from '#ledger/formats.ts';
import { reportText } from '#ledger/reportText.ts';
import {
  entryKinds,
  exportFormats,
  type EntriesPage,
  type EntryRow,
  type ExportFormat,
  type Report,
} from '#ledger/types.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { entryLine } from './entriesText.ts';
import { scope, scopeArgs } from './scope.ts';

/** Room for the line above the rows. */
const headerUnits = 200;
const defaultLimit = 50;

const before = (cursor: string | undefined): number | undefined => {
  if (cursor === undefined) return undefined;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new LoomError('INVALID_ARGUMENTS', `cursor: "${cursor}" is none of ours. Ask without a cursor.`);
};

/** As many of the rows as fit, as `text` makes them. */
const fitting = (rows: readonly EntryRow[], units: number, text: (row: EntryRow, n: number) => string): string[] => {
  const taken: string[] = [];
  for (const [n, row] of rows.entries()) {
    const next = text(row, n);
    units -= next.length + 1;
    if (units < 0 && n > 0) break;
    taken.push(next);
  }
  return taken;
};

/** Which entries these are, and how to get the older ones. */
const header = ({ rows, total }: EntriesPage, shown: number): string => {
  if (shown === 0) return total === 0 ? 'No entry.' : `No older entries; there are ${grouped(total)} in all.`;
  const [first, last] = [rows[0]?.id, rows[shown - 1]?.id];
  const next = shown === rows.length ? 'complete: yes' : `complete: no, next cursor: ${last}`;
  return `${grouped(shown)} of ${counted(total, 'entry', 'entries')}, newest first: ${first} to ${last} | ${next}`;
};

const entriesText = (page: EntriesPage, limit: number): string => {
  const counter = page.rows[0]?.counter ?? '';
  const lines = fitting(page.rows.slice(0, limit), partLimit - headerUnits, (row) => entryLine(row, counter));
  return [header(page, lines.length) + (counter === '' ? '' : ` | tokens by ${counter}`), ...lines].join('\n');
};

/** The report goes with the first page. */
const exportText = (page: EntriesPage, limit: number, format: ExportFormat, report: Report | undefined): string => {
  const { begin, row, end } = formats[format];
  const top = begin(report);
  const room = partLimit - headerUnits - top.length - end.length;
  const rows = fitting(page.rows.slice(0, limit), room, (each, n) => row(each, n === 0));
  return `${header(page, rows.length)}\n${top}${rows.join('')}${end}`;
};

export const ledger = defineTool({
  name: 'ledger',
  title: 'The token ledger',
  description:
    'Use to look into what Loom cost and kept out of the prompt: the report, the entries it is made of, or the entries as CSV or ' +
    'JSON. Every figure is labelled measured, computed or estimated. Not needed for any other work; ctx_stats gives the ' +
    'report alone.',
  toolsets: ['ledger'],
  effect: 'read',
  needs: ['ledger'],
  input: z.object({
    view: z.enum(['report', 'entries', 'export']).default('report').describe('What to show.'),
    scope,
    kind: z.enum(entryKinds).optional().describe('Only entries of this kind.'),
    tool: z.string().optional().describe('Only entries of this tool.'),
    format: z.enum(exportFormats).default('csv').describe('Of an export.'),
    limit: z.int().min(1).max(500).default(defaultLimit).describe('Most entries.'),
    cursor: z.string().optional().describe('From the answer before, for older entries.'),
  }),
  example: { view: 'entries', scope: 'conversation' },
  run: async ({ view, scope: name, kind, tool, format, limit, cursor }, { ledger, caller, control }) => {
    const of = scopeArgs(name, caller);
    if (view === 'report') return { parts: [reportText(await ledger.report(of, control))] };
    // One more than is shown tells whether there are older ones.
    const wanted = { kind, tool, before: before(cursor), offset: 0, limit: limit + 1 };
    const page = await ledger.entries({ ...of, ...wanted }, control);
    if (view === 'entries') return { parts: [entriesText(page, limit)] };
    const report = cursor === undefined ? await ledger.report(of, control) : undefined;
    return { parts: [exportText(page, limit, format, report)] };
  },
});
