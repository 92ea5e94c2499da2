// The outline of JSON: its keys and shapes.
import { counted, grouped } from '#base/text.ts';
import { furtherKeys, mergeShapes, readShapes, type Shape } from './jsonShape.ts';
import type { Lines } from '#text/lines.ts';
import { spreadOrder } from './spread.ts';
import { short, type Entry, type Outline } from './outline.ts';

/** Keys that one entry names. */
const named = 24;
const mostEntries = 300;
/** Keys of a map that are named, spread over it. */
const mapExamples = 10;

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

const keyCount = (shape: Shape): number => {
  const beyond = shape.keys.get(furtherKeys);
  return shape.keys.size + (beyond ? timesSeen(beyond) - 1 : 0);
};

/** An object whose keys are data, `{"node_modules/a": {…}, "node_modules/b": {…}, …}`: its values share one shape. */
const isMap = (shape: Shape): boolean => {
  const values = Array.from(shape.keys.values());
  return values.length > named && values.filter(isContainer).length >= values.length * 0.9;
};

const describeKeys = (shape: Shape): string => {
  const keys = Array.from(shape.keys).filter(([key]) => key !== furtherKeys);
  const words = isMap(shape)
    ? spreadOrder(keys.length, mapExamples)
        .sort((a, b) => a - b)
        .map((at) => JSON.stringify(short(keys[at]?.[0] ?? '', 40)))
    : keys.slice(0, named).map(([key, value]) => keyWords(key, value, shape.objects));
  const more = keyCount(shape) - words.length;
  return `{${words.join(', ')}${more > 0 ? `, +${grouped(more)} keys` : ''}}`;
};

const describe = (path: string, shape: Shape, depth: number): Entry[] => {
  const entries: Entry[] = [];
  if (shape.objects > 0) {
    const times = shape.objects > 1 ? ` ×${grouped(shape.objects)}` : '';
    entries.push({ line: shape.line, text: `${path}${times} ${describeKeys(shape)}`, rank: depth });
  } else if (shape.arrays > 0 && depth === 0) {
    entries.push({ line: shape.line, text: `${path} ${typeOf(shape)}`, rank: depth });
  }
  const inside: [string, Shape][] = isMap(shape)
    ? [[`${path}{*}`, mergeShapes(Array.from(shape.keys.values()))]]
    : Array.from(shape.keys, ([key, value]) => [pathTo(path, key), value]);
  if (shape.items) inside.push([`${path}[]`, shape.items]);
  for (const [at, value] of inside) {
    if (entries.length < mostEntries && isContainer(value)) entries.push(...describe(at, value, depth + 1));
  }
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
