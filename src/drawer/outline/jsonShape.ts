// Reads the shapes of JSON values without parsing them.
import type { Lines } from '#text/lines.ts';

type Scalar = 'string' | 'number' | 'boolean' | 'null';

/** What values at one place of the JSON look like, over all of them. */
export type Shape = {
  objects: number;
  arrays: number;
  scalars: Map<Scalar, number>;
  keys: Map<string, Shape>;
  items: Shape | undefined;
  /** Items of all the arrays here. */
  length: number;
  /** The first scalar, as written. */
  example: string | undefined;
  /** Where the first value begins, from 1. */
  line: number;
};
export type Shapes = {
  root: Shape;
  /** Values at the top: more than one where each line is a value. */
  values: number;
  /** The line where it stopped to be JSON. */
  brokenAt: number | undefined;
};

const mostKeys = 200;
/** Where the values of all keys beyond these go. */
export const furtherKeys = '…';
/** What lies deeper, or comes when there are so many shapes already, is read and not told apart. */
const mostDepth = 20;
const mostShapes = 20_000;
const exampleBytes = 60;

const shapeAt = (line: number): Shape => ({
  objects: 0,
  arrays: 0,
  scalars: new Map(),
  keys: new Map(),
  items: undefined,
  length: 0,
  example: undefined,
  line,
});

/** One shape for values from several places. */
export const mergeShapes = (shapes: readonly Shape[]): Shape => {
  const merged = shapeAt(Math.min(...shapes.map(({ line }) => line)));
  const byKey = new Map<string, Shape[]>();
  for (const shape of shapes) {
    merged.objects += shape.objects;
    merged.arrays += shape.arrays;
    merged.length += shape.length;
    merged.example ??= shape.example;
    for (const [kind, count] of shape.scalars) merged.scalars.set(kind, (merged.scalars.get(kind) ?? 0) + count);
    for (const [key, value] of shape.keys) {
      const same = byKey.get(key);
      if (same) same.push(value);
      else byKey.set(key, [value]);
    }
  }
  for (const [key, values] of byKey) merged.keys.set(key, mergeShapes(values));
  const items = shapes.flatMap((shape) => shape.items ?? []);
  if (items.length > 0) merged.items = mergeShapes(items);
  return merged;
};

type Open = { shape: Shape; kind: 'object' | 'array'; key: string | undefined };

const newline = 10;
const quote = 34;
const comma = 44;
const colon = 58;
const openArray = 91;
const backslash = 92;
const closeArray = 93;
const openObject = 123;
const closeObject = 125;

const isSpace = (byte: number): boolean => byte === 32 || byte === 13 || byte === 9;

/** The byte behind the string that begins at `at`. */
const stringEnd = (bytes: Buffer, at: number): number => {
  for (let end = bytes.indexOf(quote, at + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return bytes.length;
};

const literalEnd = (bytes: Buffer, at: number): number => {
  let end = at;
  while (end < bytes.length && /[-+.\w]/.test(String.fromCharCode(bytes[end] ?? 0))) end++;
  return end;
};

const scalarOf = (text: string): Scalar | undefined => {
  if (text === 'true' || text === 'false') return 'boolean';
  if (text === 'null') return 'null';
  return /^-?\d[\d.eE+-]*$/.test(text) ? 'number' : undefined;
};

class ShapeReader {
  readonly #bytes: Buffer;
  readonly #stack: Open[] = [];
  #line = 1;
  #shapes = 0;
  readonly #lost = shapeAt(0);
  readonly root = shapeAt(1);
  values = 0;
  broken = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get line(): number {
    return this.#line;
  }

  /** Reads what begins at `at`; answers where it ends. Numbers and strings are looked over, never parsed. */
  step(at: number): number {
    const byte = this.#bytes[at] ?? 0;
    if (byte === newline) this.#line++;
    if (byte === newline || isSpace(byte) || byte === colon || byte === comma) return at + 1;
    if (byte === openObject || byte === openArray) return this.#open(byte === openObject ? 'object' : 'array', at);
    if (byte === closeObject || byte === closeArray) {
      this.broken ||= this.#stack.pop()?.kind !== (byte === closeObject ? 'object' : 'array');
      return at + 1;
    }
    return byte === quote ? this.#string(at) : this.#literal(at);
  }

  #open(kind: Open['kind'], at: number): number {
    const shape = this.#value();
    if (kind === 'object') shape.objects++;
    else shape.arrays++;
    this.#stack.push({ shape, kind, key: undefined });
    return at + 1;
  }

  #string(at: number): number {
    const end = stringEnd(this.#bytes, at);
    const top = this.#stack.at(-1);
    if (top?.kind === 'object' && top.key === undefined) {
      top.key = this.#bytes.toString('utf8', at + 1, Math.min(end - 1, at + 1 + exampleBytes));
    } else this.#scalar('string', at, end);
    return end;
  }

  #literal(at: number): number {
    const end = literalEnd(this.#bytes, at);
    const kind = scalarOf(this.#bytes.toString('latin1', at, Math.min(end, at + exampleBytes)));
    if (kind) this.#scalar(kind, at, end);
    else this.broken = true;
    return Math.max(end, at + 1);
  }

  #scalar(kind: Scalar, at: number, end: number): void {
    const shape = this.#value();
    shape.scalars.set(kind, (shape.scalars.get(kind) ?? 0) + 1);
    shape.example ??= this.#bytes.toString('utf8', at, Math.min(end, at + exampleBytes));
  }

  /** The shape that the value that begins here belongs to. */
  #value(): Shape {
    const top = this.#stack.at(-1);
    if (!top) {
      this.values++;
      return this.root;
    }
    if (top.shape === this.#lost && top.kind === 'array') return this.#lost;
    if (top.kind === 'array') {
      top.shape.length++;
      return (top.shape.items ??= this.#newShape());
    }
    if (top.key === undefined) this.broken = true;
    const key = top.shape.keys.size >= mostKeys && !top.shape.keys.has(top.key ?? '') ? furtherKeys : (top.key ?? '');
    top.key = undefined;
    if (top.shape === this.#lost) return this.#lost;
    let shape = top.shape.keys.get(key);
    if (!shape) {
      shape = this.#newShape();
      if (shape !== this.#lost) top.shape.keys.set(key, shape);
    }
    return shape;
  }

  #newShape(): Shape {
    if (this.#stack.length > mostDepth || this.#shapes >= mostShapes) return this.#lost;
    this.#shapes++;
    return shapeAt(this.#line);
  }
}

/** Reads the shapes of one JSON value or of many in a row. */
export function* readShapes({ bytes }: Lines): Generator<void, Shapes> {
  const reader = new ShapeReader(bytes);
  const start = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
  let steps = 0;
  for (let at = start; at < bytes.length && !reader.broken;) {
    at = reader.step(at);
    if (++steps % 8192 === 0) yield;
  }
  return { root: reader.root, values: reader.values, brokenAt: reader.broken ? reader.line : undefined };
}
