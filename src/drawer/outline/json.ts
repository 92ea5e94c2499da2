import { counted, grouped } from '#base/text.ts';
import { readShapes, type Shape } from './jsonShape.ts';
import type { Lines } from './lines.ts';
import { short, type Entry, type Outline } from './outline.ts';

/** Keys that one entry names. */
const named = 24;
const mostEntries = 300;

const isContainer = (shape: Shape): boolean => shape.objects > 0 || shape.arrays > 0;

const typeOf = (shape: Shape): string => {
  const types = Array.from(shape.scalars.keys());
  if (shape.objects > 0) types.push('{}' as never);
  if (shape.arrays > 0) {
    const inside = shape.items ? (isContainer(shape.items) ? '' : ` ${typeOf(shape.items)}`) : '';
    types.push(`[${grouped(shape.length)}${inside}]` as never);
  }
  return types.join('|');
};

const timesSeen = (shape: Shape): number =>
  shape.objects + shape.arrays + Array.from(shape.scalars.values()).reduce((sum, count) => sum + count, 0);

/** `id number`, `email? string|null`; the value itself where there is only one. */
const keyWords = (key: string, shape: Shape, objects: number): string => {
  const optional = timesSeen(shape) < objects ? '?' : '';
  const only = objects === 1 && !isContainer(shape) && shape.example !== undefined;
  return `${short(key, 40)}${optional} ${only ? short(shape.example ?? '', 40) : typeOf(shape)}`;
};

const pathTo = (path: string, key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(short(key, 40))}]`;

const describe = (path: string, shape: Shape, depth: number): Entry[] => {
  const keys = Array.from(shape.keys);
  const entries: Entry[] = [];
  if (shape.objects > 0) {
    const words = keys.slice(0, named).map(([key, value]) => keyWords(key, value, shape.objects));
    const more = keys.length > named ? `, +${grouped(keys.length - named)} keys` : '';
    const times = shape.objects > 1 ? ` ×${grouped(shape.objects)}` : '';
    entries.push({ text: `line ${shape.line}: ${path}${times} {${words.join(', ')}${more}}`, rank: depth });
  } else if (shape.arrays > 0 && depth === 0) {
    entries.push({ text: `line ${shape.line}: ${path} ${typeOf(shape)}`, rank: depth });
  }
  if (entries.length >= mostEntries) return entries;
  for (const [key, value] of keys)
    if (isContainer(value)) entries.push(...describe(pathTo(path, key), value, depth + 1));
  if (shape.items && isContainer(shape.items)) entries.push(...describe(`${path}[]`, shape.items, depth + 1));
  return entries.slice(0, mostEntries);
};

/** Keys and shapes with how often they occur; `?` marks a key that some of the objects lack. */
export function* outlineJson(lines: Lines): Generator<void, Outline> {
  const { root, values, brokenAt } = yield* readShapes(lines);
  const broken =
    brokenAt === undefined ? '' : `; no valid JSON from line ${brokenAt} on, shapes are of what stands before`;
  const many = values > 1 ? `${counted(values, 'value')}, ` : '';
  const types = typeOf(root) || 'nothing';
  return {
    title: `${many}shape${broken}${isContainer(root) ? '' : `: ${types}`}`,
    entries: describe('$', root, 0),
  };
}
