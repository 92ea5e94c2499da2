// The forms of an export: CSV, JSON lines, text.
import type { EntryRow, ExportFormat, Report } from './types.ts';

/** The columns of an export, in their order. */
const columns = {
  id: ({ id }) => id,
  at: ({ at }) => new Date(at).toISOString(),
  kind: ({ kind }) => kind,
  tool: ({ tool }) => tool,
  client: ({ client }) => client,
  session: ({ session }) => session,
  conversation: ({ conversation }) => conversation,
  document: ({ document }) => document ?? '',
  counter: ({ counter }) => counter,
  tokens: ({ tokens }) => tokens,
  part: ({ part }) => part,
  excess: ({ excess }) => excess,
  bytes: ({ bytes }) => bytes,
  label: ({ label }) => label,
  latency_ms: ({ latency }) => latency ?? '',
} as const satisfies Record<string, (row: EntryRow) => string | number>;

/** What a spreadsheet takes for a formula runs there: an apostrophe in front makes it text (OWASP, "CSV injection"). */
const formula = /^[=+\-@\t\r]/;

/** A cell of RFC 4180. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const csvRow = (row: EntryRow): string =>
  `${Object.values(columns)
    .map((of) => cell(of(row)))
    .join(',')}\r\n`;

const jsonRow = (row: EntryRow): string =>
  JSON.stringify(Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, of(row)])));

/** How a file of entries begins, goes on and ends. */
export type Format = {
  /** With the report on top, where there is one. */
  begin: (report: Report | undefined) => string;
  row: (row: EntryRow, first: boolean) => string;
  end: string;
};

export const formats: Record<ExportFormat, Format> = {
  csv: { begin: () => `${Object.keys(columns).join(',')}\r\n`, row: csvRow, end: '' },
  json: {
    begin: (report) => `{${report ? `"report":${JSON.stringify(report)},\n` : ''}"entries":[`,
    row: (row, first) => `${first ? '' : ','}\n${jsonRow(row)}`,
    end: '\n]}\n',
  },
};
