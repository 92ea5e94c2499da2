import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Services } from '#base/room.ts';
import { type AskControl, defineAsks } from '#base/view.ts';
import { answering } from '#vscode/views/answering.ts';
import type { ToWebview } from '#vscode/views/protocol.ts';

type ToyAsks = {
  double: { args: { n: number }; answer: number };
  wait: { args: object; answer: string };
};

const view = defineAsks<ToyAsks>({
  needs: [],
  asks: {
    double: {
      args: z.strictObject({ n: z.number() }),
      answer: async ({ n }) => {
        if (n < 0) throw new Error('below 0');
        return 2 * n;
      },
    },
    wait: {
      args: z.strictObject({}),
      answer: (_, __, { signal }: AskControl) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('given up'))),
    },
  },
});

test('questions of any room are answered in any order, refused in words, given up when nobody waits', async () => {
  const asks = new Map(Object.entries(view.asks).map(([name, ask]) => [`toy.${name}`, ask]));
  const warned: string[] = [];
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, error: quiet, warn: (words: string) => void warned.push(words) };
  const posted: ToWebview[] = [];
  const done = Promise.withResolvers<void>();
  const answer = answering(asks, {} as Services, log, (message) => {
    if (posted.push(message) === 3) done.resolve();
  });
  answer({ kind: 'ask', request: 1, name: 'toy.wait', args: {} });
  answer({ kind: 'ask', request: 2, name: 'toy.double', args: { n: 21 } });
  answer({ kind: 'ask', request: 3, name: 'toy.double', args: { n: -1 } });
  answer({ kind: 'cancel', request: 1 });
  await done.promise;
  expect(posted.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
    { kind: 'answer', request: 1, answer: 'given up' },
    { kind: 'answer', request: 2, answer: 42 },
    { kind: 'refusal', request: 3, message: 'below 0' },
  ]);
  expect(warned).toEqual([expect.stringContaining('toy.double')]);
});
