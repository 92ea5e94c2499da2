/** Numbers that are the same in every run (mulberry32). */
export const random = (seed: number) => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  return { below, pick };
};
export type Random = ReturnType<typeof random>;

const scraps = [
  'request served\n', '\n', '\r\n', '\r', 'x', 'Größe ', '数据库连接失败', '😀', 'e\u0301', '\uFEFF', '\0', '{"id":1}\n',
  'a'.repeat(700), '-'.repeat(3000), '😀'.repeat(900), ' '.repeat(200), '12345678901234567890,',
]; // prettier-ignore
const broken = [[0xff, 0xfe], [0x80], [0xc3], [0xf0, 0x9f], [0xed, 0xa0, 0x80], Array<number>(5000).fill(0x80)];

export const newlines = (bytes: Uint8Array): number => {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
};

/** Bytes of many shapes: lines, giant lines, several scripts, and with `invalid` what is no UTF-8. */
export const randomBytes = (seed: number, most: number, invalid: boolean): Buffer => {
  const { below, pick } = random(seed);
  const parts: Buffer[] = [];
  const size = below(most);
  for (let held = 0; held < size;) {
    const part =
      invalid && below(8) === 0
        ? Buffer.from(pick(broken))
        : Buffer.from(pick(scraps).repeat(1 + below(below(10) === 0 ? 20 : 2)));
    parts.push(part);
    held += part.length;
  }
  return Buffer.concat(parts);
};
