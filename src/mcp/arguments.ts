import { closestMatch } from 'leven';
import { z } from 'zod';
import { LoomError } from '#base/errors.ts';
import type { Tool } from './defineTool.ts';

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

/** Some clients wrap the arguments once more, as JSON in a string: `"{…}"`, or `{"args": "{…}"}` beside nothing else. */
export const unwrapped = (raw: unknown, known: readonly string[]): Fields => {
  if (raw === undefined || raw === null) return {};
  if (typeof raw === 'string') return unwrapped(asJson(raw), known);
  if (!isFields(raw)) return {};
  const [only, ...others] = Object.keys(raw);
  if (only === undefined || others.length > 0 || known.includes(only)) return raw;
  if (!['args', 'arguments', 'input', 'params'].includes(only)) return raw;
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
  return `${issue.path.join('.') || 'arguments'}: ${missing ? 'required' : issue.message}`;
};

/** Which argument an unknown key most likely meant. */
const meant = (key: string, known: readonly string[]): string | undefined =>
  known.find((name) => name.startsWith(key) || key.startsWith(name)) ??
  closestMatch(key, [...known], { maxDistance: Math.max(2, Math.floor(key.length / 3)) });

type Unknown = { key: string; meant: string | undefined };

const refused = (tool: Tool, errors: readonly string[], unknown: readonly Unknown[]): LoomError => {
  const fields = Object.entries(tool.input.shape).filter(([name]) => tool.unlisted?.includes(name) !== true);
  const names = (optional: boolean): string[] =>
    fields.filter(([, field]) => z.safeParse(field, undefined).success === optional).map(([name]) => name);
  const [required, optional] = [names(false), names(true)];
  // A slip where something is changed: whatever was meant, it was not this call.
  const slip = tool.effect !== 'read' && unknown.some((each) => each.meant !== undefined);
  const lines = [
    `${tool.name}: invalid arguments; nothing was done.`,
    ...errors,
    ...unknown.map((each) =>
      each.meant === undefined ? `unknown "${each.key}"` : `unknown "${each.key}": did you mean "${each.meant}"?`,
    ),
    `required: ${required.join(', ') || 'none'}`,
    `optional: ${optional.join(', ') || 'none'}`,
    `example: ${tool.name} ${JSON.stringify(tool.example)}`,
  ];
  return new LoomError(slip ? 'UNKNOWN_ARGUMENT' : 'INVALID_ARGUMENTS', lines.join('\n'), {
    details: {
      tool: tool.name,
      errors,
      required,
      optional,
      unknown: Object.fromEntries(unknown.map((each) => [each.key.slice(0, 60), each.meant ?? null])),
      example: tool.example,
    },
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
    .map((key) => ({ key, meant: meant(key, known) }));
  let parsed = tool.input.safeParse(fields, { reportInput: true });
  if (!parsed.success) parsed = tool.input.safeParse(withCoercions(fields, parsed.error.issues), { reportInput: true });
  if (parsed.success && unknown.length === 0) return parsed.data;
  throw refused(tool, (parsed.error?.issues ?? []).map(describe), unknown);
};
