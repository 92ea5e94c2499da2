// A call's arguments: what was meant, and what is refused.
import { z } from 'zod';
import { LoomError } from '#base/errors.ts';
import { nearWords } from '#text/nearWords.ts';
import type { Tool } from '#mcp/defineTool.ts';
import { asJson, isFields, type Fields } from './json.ts';
import { emptySelections, inPlural, isEmpty, isOptional, mended, named, withoutEmpty } from './meant.ts';

const wrappers: readonly string[] = ['args', 'arguments', 'input', 'params'];

/** Some clients wrap the arguments once more, as JSON in a string: `"{…}"`, or `{"args": "{…}"}` beside nothing else. */
export const unwrapped = (raw: unknown, known: readonly string[]): Fields => {
  if (typeof raw === 'string') return unwrapped(asJson(raw), known);
  if (!isFields(raw)) return {};
  const [only, ...others] = Object.keys(raw);
  if (only === undefined || others.length > 0 || known.includes(only)) return raw;
  if (!wrappers.includes(only)) return raw;
  const inner = raw[only];
  if (isEmpty(inner)) return {};
  const fields = typeof inner === 'string' ? asJson(inner) : inner;
  return isFields(fields) ? fields : raw;
};

const describe = (issue: z.core.$ZodIssue): string => {
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  const words = issue.message.replace(/^Invalid (input|option): /, '');
  return `${issue.path.join('.') || 'arguments'}: ${missing ? 'required' : words}`;
};

/** What models call an argument by other tools' habits, without case or underscores. */
const otherNames: Record<string, readonly string[]> = {
  id: ['doc', 'document', 'documentid', 'docid', 'chunk', 'chunkid'],
  doc: ['id', 'document', 'documentid', 'docid'],
  path: ['file', 'filepath', 'filename', 'uri', 'url', 'glob', 'pattern'],
  paths: ['files', 'filepaths', 'globs'],
  text: ['content', 'contents', 'body', 'data', 'value'],
  query: ['q', 'search', 'pattern', 'term', 'words', 'text', 'needle'],
  lines: ['range', 'line', 'linerange', 'startline'],
  facts: ['claims', 'texts', 'statements'],
  code: ['source', 'script', 'python', 'cell', 'input'],
  command: ['cmd', 'shell', 'script'],
  execution: ['executionid', 'cell', 'number', 'id', 'n'],
  timeout_seconds: ['timeout', 'timeoutms', 'wait', 'seconds'],
  limit: ['max', 'topk', 'count', 'maxresults'],
  op: ['tool', 'name', 'operation'],
  arguments: ['args', 'input', 'params', 'parameters'],
};

/** Which argument an unknown key most likely meant. */
const meant = (key: string, known: readonly string[]): string | undefined =>
  known.find((name) => otherNames[name]?.includes(key.toLowerCase().replaceAll('_', ''))) ??
  known.find((name) => name.startsWith(key) || key.startsWith(name)) ??
  nearWords(key, known)[0];

type Unknown = { key: string; value: unknown; meant: string | undefined };
type Faults = { issues: readonly z.core.$ZodIssue[]; unknown: readonly Unknown[]; empty: readonly string[] };

/** Longer than this an example tells less than the tool's own. */
const mostExample = 400;

/** The call as it was probably meant, without what was wrong, where that makes a call; else the tool's own example. */
const corrected = (tool: Tool, given: Fields, { issues, unknown, empty }: Faults): Fields => {
  const wrong = new Set(issues.map(({ path: [name] }) => name));
  const entries = Object.entries(given).flatMap(([key, value]) => {
    const slip = unknown.find((each) => each.key === key);
    const name = slip === undefined ? key : slip.meant;
    return name === undefined || (slip === undefined && wrong.has(name)) ? [] : [[name, value] as const];
  });
  const call = Object.fromEntries(entries);
  // Without what chose it, the call would remove what nobody named.
  const wider = tool.effect === 'destructive' && entries.length < Object.keys(given).length;
  if (wider || empty.length > 0) return tool.example;
  const short = JSON.stringify(call).length <= mostExample;
  return short && tool.input.safeParse(call, { reportInput: true }).success ? call : tool.example;
};

const unknownWords = ({ key, meant: name, value }: Unknown): string => {
  const quoted = `unknown "${key.slice(0, 60)}"`;
  if (name !== undefined) return `${quoted}: did you mean "${name}"?`;
  return wrappers.includes(key) && typeof value === 'string' ? `${quoted}: its text is no whole JSON object` : quoted;
};

/** What stands for an argument that is left out, in its own words. */
const emptyWords = ({ input, name: tool }: Tool, name: string): string =>
  `${name}: is empty, and it chooses what ${tool} acts on. Leave it out, or name one: ${z.globalRegistry.get(input.shape[name] as z.ZodType)?.description ?? ''}`;

const refused = (tool: Tool, given: Fields, faults: Faults): LoomError => {
  const { issues, unknown, empty } = faults;
  const fields = Object.entries(tool.input.shape).filter(([name]) => tool.unlisted?.includes(name) !== true);
  const names = (optional: boolean): string[] =>
    fields.filter(([, field]) => isOptional(field) === optional).map(([name]) => name);
  const [required, optional] = [names(false), names(true)];
  const errors = [...empty.map((name) => emptyWords(tool, name)), ...issues.map(describe)];
  const example = corrected(tool, given, faults);
  // A slip where something is changed: whatever was meant, it was not this call.
  const slip = tool.effect !== 'read' && unknown.some((each) => each.meant !== undefined);
  const lines = [
    `${tool.name}: invalid arguments; nothing was done.`,
    ...errors,
    ...unknown.map(unknownWords),
    `required: ${required.join(', ') || 'none'}`,
    `optional: ${optional.join(', ') || 'none'}`,
    `example: ${tool.name} ${JSON.stringify(example)}`,
  ];
  const meantBy = Object.fromEntries(unknown.map((each) => [each.key.slice(0, 60), each.meant ?? null]));
  return new LoomError(slip ? 'UNKNOWN_ARGUMENT' : 'INVALID_ARGUMENTS', lines.join('\n'), {
    details: { tool: tool.name, errors, required, optional, unknown: meantBy, example },
  });
};

/** Each look may find what the one before hid: a number in a text is first a number, then too large. */
const looks = 3;

/**
 * A call's arguments as the tool takes them, and what the answer is to say of how they were read. What can be meant in one
 * way only is taken so; an unknown key is refused with the one that it probably meant.
 */
export const parseArguments = (
  tool: Tool,
  raw: unknown,
): { args: Record<string, unknown>; notes: readonly string[] } => {
  const known = Object.keys(tool.input.shape);
  const given = named(tool, unwrapped(raw, [...known, ...Object.keys(tool.otherNames ?? {})]));
  const unknown = Object.keys(given.fields)
    .filter((key) => !known.includes(key))
    .map((key) => ({ key, value: given.fields[key], meant: meant(key, known) }));
  const empty = emptySelections(tool, given.fields);
  let now = { ...given, fields: inPlural(tool, withoutEmpty(tool, given.fields)) };
  let parsed = tool.input.safeParse(now.fields, { reportInput: true });
  for (let look = 0; look < looks && !parsed.success; look++) {
    now = mended(tool, now, parsed.error.issues);
    parsed = tool.input.safeParse(now.fields, { reportInput: true });
  }
  if (parsed.success && unknown.length === 0 && empty.length === 0) return { args: parsed.data, notes: now.notes };
  throw refused(tool, given.fields, { issues: parsed.error?.issues ?? [], unknown, empty });
};
