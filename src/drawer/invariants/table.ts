// The different invariants of a content, and how often each stands there.
import { invariantKinds, type InvariantKind } from '#drawer/contents.ts';

/** How often invariants of one kind stand in a content, and a sum over them that tells one content from another. */
export type Tally = Record<InvariantKind, { count: number; sum: number }>;

const places = Object.fromEntries(invariantKinds.map((kind, i) => [kind, i])) as Record<InvariantKind, number>;

/** Two independent hashes of an invariant (FNV-1a and a multiply-rotate one): together they stand for it. */
const hashes = new Uint32Array(2);
const hash = (kind: number, bytes: Uint8Array, from: number, to: number): void => {
  let a = 0x811c9dc5 ^ kind;
  let b = 0x9e3779b9 + kind;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul((b << 5) ^ (b >>> 27) ^ byte, 0x85ebca6b);
  }
  hashes[0] = a ^ (a >>> 15);
  hashes[1] = b ^ (b >>> 13);
};

/** Counts invariants without holding them: what the verifier compares two readings by. */
export class TallyCounter {
  readonly #counts = new Float64Array(invariantKinds.length);
  readonly #sums = new Float64Array(invariantKinds.length);

  readonly add = (kind: InvariantKind, bytes: Uint8Array, from: number, to: number): void => {
    const place = places[kind];
    hash(place, bytes, from, to);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    // Below 2^53: a sum that does not depend on the order.
    this.#sums[place] = ((this.#sums[place] ?? 0) + (hashes[0] ?? 0) * 0x10000 + ((hashes[1] ?? 0) & 0xffff)) % 2 ** 52;
  };

  tally(): Tally {
    return Object.fromEntries(
      invariantKinds.map((kind, i) => [kind, { count: this.#counts[i] ?? 0, sum: this.#sums[i] ?? 0 }]),
    ) as Tally;
  }
}

/** One value of an invariant. */
export type Value = {
  kind: InvariantKind;
  text: string;
  /** How often it stands in the content. */
  count: number;
  /** Its place among all values, in the order in which they first appear. */
  index: number;
};

const sampleBytes = 512;

/**
 * The different invariants of a content, in the order in which they first appear. Typed arrays: a 50 MB log has a
 * million of them.
 */
export class InvariantTable {
  readonly #content: Buffer;
  #slots = new Int32Array(4096).fill(-1);
  #a = new Uint32Array(2048);
  #b = new Uint32Array(2048);
  #counts = new Uint32Array(2048);
  #from = new Uint32Array(2048);
  #bytes = new Uint16Array(2048);
  #kinds = new Uint8Array(2048);
  size = 0;

  /** `content`: where `offset`s lead. */
  constructor(content: Buffer) {
    this.#content = content;
  }

  /** Adds an occurrence of what stands at `from` to before `to` of the content. */
  add(kind: InvariantKind, from: number, to: number): void {
    const place = places[kind];
    hash(place, this.#content, from, to);
    const slot = this.#slot(hashes[0] ?? 0, hashes[1] ?? 0);
    const known = this.#slots[slot] ?? -1;
    if (known >= 0) {
      this.#counts[known] = (this.#counts[known] ?? 0) + 1;
      return;
    }
    if (this.size === this.#a.length) this.#grow();
    const index = this.size++;
    this.#a[index] = hashes[0] ?? 0;
    this.#b[index] = hashes[1] ?? 0;
    this.#counts[index] = 1;
    this.#from[index] = from;
    this.#bytes[index] = Math.min(to - from, sampleBytes);
    this.#kinds[index] = place;
    this.#slots[this.#slot(hashes[0] ?? 0, hashes[1] ?? 0)] = index;
  }

  /** The index of what stands in other bytes, if the content holds it too. */
  find(kind: InvariantKind, bytes: Uint8Array, from: number, to: number): number | undefined {
    hash(places[kind], bytes, from, to);
    const index = this.#slots[this.#slot(hashes[0] ?? 0, hashes[1] ?? 0)] ?? -1;
    return index < 0 ? undefined : index;
  }

  kindAt(index: number): InvariantKind {
    return invariantKinds[this.#kinds[index] ?? 0] ?? 'number';
  }
  countAt(index: number): number {
    return this.#counts[index] ?? 0;
  }
  textAt(index: number): string {
    const from = this.#from[index] ?? 0;
    return this.#content.toString('utf8', from, from + (this.#bytes[index] ?? 0));
  }

  #slot(a: number, b: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = (a ^ Math.imul(b, 31)) & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot] ?? -1;
      if (index < 0 || (this.#a[index] === a && this.#b[index] === b)) return slot;
    }
  }

  #grow(): void {
    const size = this.#a.length * 2;
    const wider = <T extends Uint32Array | Uint16Array | Uint8Array>(old: T, next: T): T => {
      next.set(old);
      return next;
    };
    this.#a = wider(this.#a, new Uint32Array(size));
    this.#b = wider(this.#b, new Uint32Array(size));
    this.#counts = wider(this.#counts, new Uint32Array(size));
    this.#from = wider(this.#from, new Uint32Array(size));
    this.#bytes = wider(this.#bytes, new Uint16Array(size));
    this.#kinds = wider(this.#kinds, new Uint8Array(size));
    this.#slots = new Int32Array(size * 2).fill(-1);
    for (let index = 0; index < this.size; index++)
      this.#slots[this.#slot(this.#a[index] ?? 0, this.#b[index] ?? 0)] = index;
  }
}
