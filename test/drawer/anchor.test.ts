import { expect, test } from 'vitest';
import type { Kind } from '#drawer/types.ts';
import * as samples from './samples.ts';
import { rig } from './rig.ts';

/** Anchors as a model sees them. Read the files: would you know what is in the document, and what to call next? */
test.each<[Kind, string, string | Buffer]>([
  ['log', 'service.log', samples.serviceLog(6000)],
  ['json', 'orders.json', samples.ordersJson()],
  ['ndjson', 'events.jsonl', samples.eventsNdjson()],
  ['csv', 'sales.csv', samples.salesCsv()],
  ['markdown', 'handbook.md', samples.handbook()],
  ['code', 'steps.ts', samples.typescript()],
  ['diff', 'change.patch', samples.patch()],
  ['yaml', 'compose.yaml', samples.compose()],
  ['html', 'notes.html', samples.page()],
  ['plain', 'minutes.txt', samples.minutes()],
  ['binary', 'picture.png', samples.picture()],
])('%s', async (kind, title, content) => {
  const it = await rig({ unindexed: true });
  const stored = await it.put(content, { title, keep: false });
  expect(stored.kind).toBe(kind);
  expect(stored.anchorTokens).toBeLessThanOrEqual(900);
  await expect(stored.text).toMatchFileSnapshot(`../golden/anchors/${kind}.txt`);
  // Without the name the look at the content has to say it.
  const bare = await rig({ unindexed: true });
  expect((await bare.put(content, { title: 'content', keep: false })).kind).toBe(kind === 'plain' ? 'plain' : kind);
});

test('an anchor keeps to its budget, and shows a fault from the middle however small it is', async () => {
  for (const budget of [250, 400, 900, 3000, 100_000]) {
    const it = await rig({ unindexed: true });
    const stored = await it.put(samples.serviceLog(6000), { title: 'service.log', budget });
    expect(stored.anchorTokens).toBeLessThanOrEqual(budget);
    // What is longer than one part of an answer is cut at a line end.
    for (const line of stored.text.split('\n')) expect(line.length).toBeLessThan(1000);
    expect(stored.text.length).toBeLessThanOrEqual(Math.max(7900, 6 * budget));
    expect(stored.text).toContain('charge failed for order ORD-77121');
  }
});

test.each([1, 50, 99])('a key line at %i %% of a long text is shown', async (percent) => {
  const rows = Array.from({ length: 4000 }, (_, i) => `sentence ${i} goes on and on about nothing of weight`);
  rows[Math.floor(percent * 40)] = 'The valve must never be opened by more than 12 turns.';
  const it = await rig({ unindexed: true });
  const stored = await it.put(rows.join('\n'), { title: 'text.txt' });
  expect(stored.text).toContain(`${Math.floor(percent * 40) + 1}: The valve must never be opened`);
});

test('of many faults those shown are spread over the whole', async () => {
  const name = (i: number): string => `module${String.fromCodePoint(97 + (i % 26), 97 + Math.floor(i / 26))}`;
  const rows = Array.from({ length: 6000 }, (_, i) =>
    i % 10 === 5 ? `ERROR ${name(i / 10 - 0.5)} broke` : `INFO fine ${i}`,
  );
  const it = await rig({ unindexed: true });
  const { text } = await it.put(rows.join('\n'), { title: 'many.log' });
  const shown = Array.from(text.matchAll(/^(\d+): ERROR/gm), (match) => Number(match[1]));
  for (const from of [0, 1000, 2000, 3000, 4000, 5000]) {
    expect(shown.some((line) => line > from && line <= from + 1000)).toBe(true);
  }
});

test('a long line is cut, and how much is left out is said', async () => {
  const it = await rig({ unindexed: true });
  const stored = await it.put(`${'é'.repeat(5000)}\n${'b\n'.repeat(4000)}`, { title: 'x.txt' });
  expect(stored.text).toContain(`1: ${'é'.repeat(220)} … (9,560 more bytes)\n`);
});
