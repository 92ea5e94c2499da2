// What a call's arguments mean where they are not as the schema has them.
import { z } from 'zod';
import type { Tool } from '#mcp/defineTool.ts';
import { asJson, isFields, type Fields } from './json.ts';

/** What clients and models add to any call by habit; none of it says what to do. */
const habits: readonly string[] = [
  'explanation',
  'reasoning',
  'reason',
  'rationale',
  'justification',
  'thought',
  'thoughts',
  'thinking',
  'intent',
  'intention',
  'purpose',
  'goal',
  'comment',
  'note',
  'notes',
  'description',
  'taskprogress',
  'toolsummary',
  'toolaction',
  'randomstring',
  'dummy',
  'placeholder',
  'securityrisk',
  'requiresapproval',
  'waitforprevioustools',
  'meta',
];

/** A name without what case and separators make of it. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** A call's arguments as they were meant, and what the answer says of how they were read. */
export type Meant = { fields: Fields; notes: string[] };

/** Each argument under the name that the tool has for it; what means nothing is left out. */
export const named = ({ name: tool, input, otherNames = {} }: Tool, given: Fields): Meant => {
  const known = Object.keys(input.shape);
  const names = new Map(known.map((name) => [plainName(name), name]));
  for (const [other, name] of Object.entries(otherNames)) names.set(plainName(other), name);
  // A map: a key may be called __proto__.
  const fields = new Map<string, unknown>();
  const ignored: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    const name = known.includes(key) ? key : names.get(plainName(key));
    // Twice the same argument is one that nobody can choose between.
    const isTwice = name !== key && name !== undefined && (Object.hasOwn(given, name) || fields.has(name));
    if (name !== undefined && !isTwice) fields.set(name, value);
    else if (habits.includes(plainName(key))) ignored.push(key.slice(0, 60));
    else fields.set(key, value);
  }
  return {
    fields: Object.fromEntries(fields),
    notes: ignored.length === 0 ? [] : [`ignored, no argument of ${tool}: ${ignored.join(', ')}`],
  };
};

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Null, a blank text, `[]`, `{}`: what models write for an argument that they leave out. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  isBlank(value) ||
  (Array.isArray(value) && value.every((each) => each === null || isBlank(each))) ||
  (isFields(value) && Object.keys(value).length === 0);

export const isOptional = (field: unknown): boolean => z.safeParse(field as z.ZodType, undefined).success;

/** Empty optional arguments that choose what the call acts on: those are not taken for left out. */
export const emptySelections = ({ input, selects = [] }: Tool, fields: Fields): string[] =>
  selects.filter((name) => Object.hasOwn(fields, name) && isOptional(input.shape[name]) && isEmpty(fields[name]));

/** Without the arguments that are left out by being empty, and without blanks among several. */
export const withoutEmpty = ({ input, effect }: Tool, fields: Fields): Fields => {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(input.shape, name)) return [[name, value]];
    if (value === null) return [];
    if (!isOptional(input.shape[name])) return [[name, value]];
    if (isEmpty(value)) return [];
    const reads = effect === 'read' || effect === 'keep';
    return [[name, reads && Array.isArray(value) ? value.filter((each) => !isEmpty(each)) : value]];
  });
  return Object.fromEntries(entries);
};

/** Several values for `id` are `ids`, where the tool has such and the call does not. */
export const inPlural = ({ input }: Tool, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, unknown] => {
      const plural = `${name}s`;
      if (!Object.hasOwn(input.shape, plural) || Object.hasOwn(fields, plural)) return [name, value];
      const list = typeof value === 'string' && value.trimStart().startsWith('[') ? asJson(value) : value;
      const moves = Array.isArray(list) && list.length > 1;
      return moves ? [plural, list] : [name, value];
    }),
  );

const words = ['null', 'none', 'undefined', 'n/a'];
/** A word for nothing, where words are no values. */
const isNothing = (value: unknown): boolean => typeof value === 'string' && words.includes(value.trim().toLowerCase());

const yes: readonly unknown[] = ['true', 'yes', 'on', '1', 1];
const no: readonly unknown[] = ['false', 'no', 'off', '0', 0];

const asBoolean = (value: unknown): boolean | undefined => {
  const plain = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return yes.includes(plain) ? true : no.includes(plain) ? false : undefined;
};

/** `12`, `1,200`, `In [7]`; `30s` of seconds; `all` of a limit, which is then cut to the most. */
const asNumber = (text: string, name: string): number | undefined => {
  const plain = text.trim();
  if (/^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/.test(plain)) return Number(plain.replaceAll(',', ''));
  const cell = /^(?:(?:in|out)\s*)?\[(\d+)\]:?$/i.exec(plain)?.[1];
  if (cell !== undefined) return Number(cell);
  const seconds = name.endsWith('_seconds') ? /^(\d+(?:\.\d+)?)\s*s(?:ec(?:ond)?s?)?$/i.exec(plain)?.[1] : undefined;
  if (seconds !== undefined) return Number(seconds);
  return name === 'limit' && /^(?:all|max)$/i.test(plain) ? Number.MAX_SAFE_INTEGER : undefined;
};

/** `value` as the expected type where there is just one way to read it, else undefined. */
const coerced = (value: unknown, expected: string, name: string): unknown => {
  if (expected === 'array') {
    if (isFields(value) || typeof value === 'boolean' || value === undefined) return undefined;
    const list = typeof value === 'string' && value.trimStart().startsWith('[') ? asJson(value) : undefined;
    return Array.isArray(list) ? list : [value];
  }
  // One value in a list is that value.
  if (Array.isArray(value)) return value.length === 1 && !Array.isArray(value[0]) ? (value[0] as unknown) : undefined;
  if (expected === 'string') return ['number', 'boolean'].includes(typeof value) ? String(value) : undefined;
  if (expected === 'boolean') return asBoolean(value);
  if (typeof value !== 'string') return undefined;
  if (expected === 'number' || expected === 'int') return asNumber(value, name);
  return expected === 'object' ? asJson(value) : undefined;
};

type Parent = Record<PropertyKey, unknown>;

/** One of a few words, in any case. */
const asOneOf = (value: unknown, values: readonly unknown[]): unknown => {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof one === 'string' ? values.find((each) => each === one.trim().toLowerCase()) : undefined;
};

const mend = (parent: Parent, issue: z.core.$ZodIssue, leavable: boolean): string[] => {
  const key = issue.path.at(-1) as PropertyKey;
  const name = String(key);
  const value = parent[key];
  if (issue.code === 'too_big' && typeof value === 'number' && issue.maximum < Number.MAX_SAFE_INTEGER) {
    parent[key] = Number(issue.maximum);
    const asked = value === Number.MAX_SAFE_INTEGER ? 'all' : String(value);
    return [`${name} ${asked} is over the most: ${String(issue.maximum)} taken`];
  }
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_value') return [];
  const isText = issue.code === 'invalid_type' && ['string', 'array', 'object'].includes(issue.expected);
  const better = issue.code === 'invalid_type' ? coerced(value, issue.expected, name) : asOneOf(value, issue.values);
  if (better !== undefined) parent[key] = better;
  else if (leavable && !isText && isNothing(value)) delete parent[key];
  return [];
};

/** `given` with what the schema found amiss put right, where it can be meant in one way only. */
export const mended = (tool: Tool, { fields, notes }: Meant, issues: readonly z.core.$ZodIssue[]): Meant => {
  const copy = structuredClone(fields);
  const more = issues.flatMap((issue) => {
    const parent = issue.path.slice(0, -1).reduce<unknown>((at, key) => (at as Parent | undefined)?.[key], copy);
    if (issue.path.length === 0 || typeof parent !== 'object' || parent === null) return [];
    const [first] = issue.path;
    const leavable = issue.path.length === 1 && isOptional(tool.input.shape[String(first)]);
    return mend(parent as Parent, issue, leavable && tool.selects?.includes(String(first)) !== true);
  });
  return { fields: copy, notes: [...notes, ...more] };
};
