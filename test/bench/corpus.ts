/** Small seeded generator (mulberry32), so that each run of a bench sees the same text. */
export const random = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

const templates = [
  'INFO  [worker-%d] finished job %d in %d ms',
  'INFO  [worker-%d] GET /api/v1/items/%d 200 %dms',
  'DEBUG [cache-%d] hit key=user:%d:profile age=%ds',
  'WARN  [pool-%d] slow query id=%d took %d ms',
  'ERROR [db-%d] connection refused to 10.0.%d.5:5432 after %d attempts',
];

/** A server's log of about `bytes` bytes. */
export const logText = (bytes: number, seed = 1): string => {
  const next = random(seed);
  const lines: string[] = [];
  for (let size = 0, n = 0; size < bytes; n++) {
    // Errors are rare, as in a real log.
    const template = templates[Math.floor(next() ** 3 * templates.length)] as string;
    const time = new Date(1_764_400_000_000 + n * 137).toISOString();
    const line = `${time} ${template.replaceAll('%d', () => String(Math.floor(next() * 250)))}`;
    lines.push(line);
    size += line.length + 1;
  }
  return `${lines.join('\n')}\n`;
};
