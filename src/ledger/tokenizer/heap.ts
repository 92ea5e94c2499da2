/** A binary heap of numbers, lowest first. */
export class Heap {
  #items: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#items = new Float64Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  push(item: number): void {
    if (this.#size === this.#items.length) {
      const larger = new Float64Array(this.#size * 2);
      larger.set(this.#items);
      this.#items = larger;
    }
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#items[parent]! <= item) break;
      this.#items[at] = this.#items[parent]!;
      at = parent;
    }
    this.#items[at] = item;
  }

  /** Takes the lowest number out; the heap must not be empty. */
  pop(): number {
    const lowest = this.#items[0]!;
    const last = this.#items[--this.#size]!;
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      if (child + 1 < this.#size && this.#items[child + 1]! < this.#items[child]!) child++;
      if (this.#items[child]! >= last) break;
      this.#items[at] = this.#items[child]!;
      at = child;
    }
    this.#items[at] = last;
    return lowest;
  }
}
