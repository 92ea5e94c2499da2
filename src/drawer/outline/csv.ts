// The outline of a table: its columns with their types.
import { counted, grouped } from '#base/text.ts';
import type { Lines } from '#text/lines.ts';
import { noOutline, short, type Outline } from './outline.ts';
import { separatorOf } from './separator.ts';

/** Rows that columns are judged by; all rows are counted. */
const judged = 500;

/** The fields of one row; a quoted field may hold the separator, and doubled quotes. */
export const fieldsOf = (row: string, separator: string): string[] => {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < row.length; at++) {
    const character = row[at];
    if (character === '"' && quoted && row[at + 1] === '"') {
      field += '"';
      at++;
    } else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  return [...fields, field];
};

const typeOf = (values: readonly string[]): string => {
  if (values.length === 0) return 'empty';
  if (values.every((value) => /^[+-]?\d+$/.test(value))) return 'integer';
  if (values.every((value) => /^[+-]?\d*[.,]?\d+(e[+-]?\d+)?$/i.test(value))) return 'number';
  if (values.every((value) => /^\d{4}-\d\d-\d\d|^\d{1,2}[./]\d{1,2}[./]\d{2,4}/.test(value))) return 'date';
  return values.every((value) => /^(true|false|yes|no)$/i.test(value)) ? 'boolean' : 'text';
};

const describe = (name: string, values: readonly string[], rank: number) => {
  const filled = values.filter((value) => value !== '');
  const distinct = Array.from(new Set(filled));
  const few = distinct.length <= 6 && filled.length > distinct.length;
  const examples = (few ? distinct : distinct.slice(0, 2)).map((value) => short(value, 24)).join(', ');
  const empty = filled.length < values.length ? `, ${grouped(values.length - filled.length)} empty` : '';
  const words = few ? `one of ${examples}` : `e.g. ${examples}`;
  return { text: `${short(name, 40)}: ${typeOf(filled)}${empty}${examples && ` (${words})`}`, rank };
};

const looksLikeHeader = (fields: readonly string[]): boolean =>
  fields.every((field) => field !== '' && !/^[+-]?[\d.,]+$/.test(field)) && new Set(fields).size === fields.length;

/** Columns with their types, and how many rows there are. A row goes on over a line end inside quotes. */
export function* outlineCsv(lines: Lines): Generator<void, Outline> {
  const sample = Array.from({ length: Math.min(20, lines.count) }, (_, index) => lines.text(index, 65_536));
  const separator = separatorOf(sample) ?? ',';
  const rows: string[][] = [];
  let count = 0;
  let row = '';
  let open = false;
  for (let index = 0; index < lines.count; index++) {
    if (index % 512 === 511) yield;
    const line = lines.text(index, 65_536);
    if (((line.match(/"/g)?.length ?? 0) & 1) === 1) open = !open;
    row = rows.length < judged ? `${row}${row && '\n'}${line}` : '';
    if (open && index < lines.count - 1) continue;
    if (line.trim() !== '') {
      count++;
      if (rows.length < judged) rows.push(fieldsOf(row.replace(/^\uFEFF/, ''), separator));
    }
    row = '';
  }
  const [first, ...rest] = rows;
  if (!first) return noOutline;
  const headed = looksLikeHeader(first);
  const names = headed ? first : first.map((_, i) => `column ${i + 1}`);
  const values = headed ? rest : rows;
  const called = separator === '\t' ? 'tab' : separator;
  const by = values.length < count - 1 ? `, types judged by the first ${grouped(values.length)} rows` : '';
  return {
    title: `${counted(headed ? count - 1 : count, 'row')} of ${counted(names.length, 'column')}, separated by ${called}${by}`,
    entries: names.map((name, i) =>
      describe(
        name,
        values.map((fields) => fields[i] ?? ''),
        i,
      ),
    ),
  };
}
