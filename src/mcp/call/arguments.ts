// A call's arguments: what was meant, and what is refused.
import { z } from 'zod';
import { LoomError } from '#base/errors.ts';
import { nearWords } from '#text/nearWords.ts';
import type { Tool } from '#mcp/defineTool.ts';

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What `text` is as JSON; undefined where it is none. */
export const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const wrappers: readonly string[] = ['args', 'arguments', 'input', 'params'];

/** Some clients wrap the arguments once more, as JSON in a string: `"{…}"`, or `{"args": "{…}"}` beside nothing else. */
export const unwrapped = (raw: unknown, known: readonly string[]): Fields => {
  if (raw === undefined || raw === null) return {};
  if (typeof raw === 'string') return unwrapped(asJson(raw), known);
  if (!isFields(raw)) return {};
  const [only, ...others] = Object.keys(raw);
  if (only === undefined || others.length > 0 || known.includes(only)) return raw;
  if (!wrappers.includes(only)) return raw;
  const inner = raw[only];
  const fields = typeof inner === 'string' ? asJson(inner) : inner;
  return isFields(fields) ? fields : raw;
};

/** `value` as the expected type where there is just one way to read it, else undefined. */
const coerced = (value: unknown, expected: string): unknown => {
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (expected === 'array' && typeof value === 'string') {
    const list = value.trimStart().startsWith('[') ? asJson(value) : undefined;
    return Array.isArray(list) ? list : [value];
  }
  if (expected === 'array' && typeof value === 'number') return [value];
  if (typeof value !== 'string') return undefined;
  if ((expected === 'number' || expected === 'int') && /^\s*-?\d+(\.\d+)?\s*$/.test(value)) return Number(value);
  if (expected === 'boolean' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return expected === 'object' ? asJson(value) : undefined;
};

const withCoercions = (fields: Fields, issues: readonly z.core.$ZodIssue[]): Fields => {
  const copy = structuredClone(fields);
  for (const issue of issues) {
    if (issue.code !== 'invalid_type') continue;
    const parent = issue.path
      .slice(0, -1)
      .reduce<unknown>((at, key) => (at as Fields | undefined)?.[key as string], copy);
    const key = issue.path.at(-1) as string;
    if (typeof parent !== 'object' || parent === null) continue;
    // Some clients send null for what they leave out.
    if ((parent as Fields)[key] === null) {
      delete (parent as Fields)[key];
      continue;
    }
    const better = coerced((parent as Fields)[key], issue.expected);
    if (better !== undefined) (parent as Fields)[key] = better;
  }
  return copy;
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
type Faults = { issues: readonly z.core.$ZodIssue[]; unknown: readonly Unknown[] };

/** Longer than this an example tells less than the tool's own. */
const mostExample = 400;

/** The call as it was probably meant, without what was wrong, where that makes a call; else the tool's own example. */
const corrected = (tool: Tool, given: Fields, { issues, unknown }: Faults): Fields => {
  const wrong = new Set(issues.map(({ path: [name] }) => name));
  const entries = Object.entries(given).flatMap(([key, value]) => {
    const slip = unknown.find((each) => each.key === key);
    const name = slip === undefined ? key : slip.meant;
    return name === undefined || (slip === undefined && wrong.has(name)) ? [] : [[name, value] as const];
  });
  const call = Object.fromEntries(entries);
  const short = JSON.stringify(call).length <= mostExample;
  return short && tool.input.safeParse(call, { reportInput: true }).success ? call : tool.example;
};

const unknownWords = ({ key, meant: name, value }: Unknown): string => {
  const quoted = `unknown "${key.slice(0, 60)}"`;
  if (name !== undefined) return `${quoted}: did you mean "${name}"?`;
  return wrappers.includes(key) && typeof value === 'string' ? `${quoted}: its text is no whole JSON object` : quoted;
};

const refused = (tool: Tool, given: Fields, { issues, unknown }: Faults): LoomError => {
  const fields = Object.entries(tool.input.shape).filter(([name]) => tool.unlisted?.includes(name) !== true);
  const names = (optional: boolean): string[] =>
    fields.filter(([, field]) => z.safeParse(field, undefined).success === optional).map(([name]) => name);
  const [required, optional, errors] = [names(false), names(true), issues.map(describe)];
  const example = corrected(tool, given, { issues, unknown });
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

/**
 * A call's arguments as the tool takes them. Strings for numbers and numbers for strings, a single value for a list, and
 * arguments that came as a JSON string are accepted; an unknown key is refused with the one that it probably meant.
 */
export const parseArguments = (tool: Tool, raw: unknown): Record<string, unknown> => {
  const known = Object.keys(tool.input.shape);
  const fields = unwrapped(raw, known);
  const unknown = Object.keys(fields)
    .filter((key) => !known.includes(key))
    .map((key) => ({ key, value: fields[key], meant: meant(key, known) }));
  let parsed = tool.input.safeParse(fields, { reportInput: true });
  if (!parsed.success) parsed = tool.input.safeParse(withCoercions(fields, parsed.error.issues), { reportInput: true });
  if (parsed.success && unknown.length === 0) return parsed.data;
  throw refused(tool, fields, { issues: parsed.error?.issues ?? [], unknown });
};
