import { expect, test } from 'vitest';
import { LoomError } from '#base/errors.ts';
import { searchHistory } from '#kernel/search/searchHistory.ts';
import { StreamText } from '#kernel/output/stream.ts';

const outputs: Record<number, string | undefined> = {
  1: 'ERROR connection refused\nfine\n',
  2: undefined,
  3: 'Refused CONNECTION 1\nrefused connection 2\nconnection refused 3\nconnection refused 4\n',
  4: 'nothing\n',
};

const read = async (number: number): Promise<StreamText> => {
  const text = outputs[number];
  if (text === undefined) throw new LoomError('OUTPUT_GONE', 'gone');
  const stream = new StreamText(10_000);
  stream.block(text);
  return stream;
};
const { signal } = new AbortController();
const found = (query: string, limit = 5, latest = 4) =>
  searchHistory({ session: 's', query, limit }, latest, read, signal);

test('every word of the query stands in the line, in any case and order; newest cells first, three lines of each', async () => {
  const { lines, more, searched } = await found('connection refused');
  expect(lines.map(({ execution, line }) => [execution, line])).toEqual([
    [3, 1],
    [3, 2],
    [3, 3],
    [1, 1],
  ]);
  expect([more, searched]).toEqual([1, [1, 4]]);
  expect((await found('connection refused', 2)).more).toBe(3);
  expect((await found('no such words')).lines).toEqual([]);
});

test('where no cell has been run nothing was searched', async () =>
  expect(await found('x', 5, 0)).toEqual({ lines: [], more: 0, searched: undefined }));
