import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSender, type Sender } from '#vscode/views/sender.ts';

type State = { a: number; b: string[] };

let state: State;
let taken: number;
let failure: Error | undefined;
let sent: unknown[];
let sender: Sender;

beforeEach(() => {
  vi.useFakeTimers();
  [state, taken, failure, sent] = [{ a: 1, b: ['x'] }, 0, undefined, []];
  sender = openSender<State>({
    snapshot: async () => {
      taken += 1;
      if (failure) throw failure;
      return structuredClone(state);
    },
    sendWhole: (whole) => sent.push({ whole }),
    sendChanges: (changes) => sent.push({ changes }),
    refused: (error) => sent.push({ refused: (error as Error).message }),
  });
});
afterEach(() => {
  sender.dispose();
  vi.useRealTimers();
});

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1_000);

test('all of it when the page begins, then what is different', async () => {
  sender.changed();
  await settle();
  expect(sent).toEqual([]);
  sender.begin();
  await settle();
  state.a = 2;
  sender.changed();
  await settle();
  sender.changed();
  await settle();
  expect(sent).toEqual([{ whole: { a: 1, b: ['x'] } }, { changes: { a: 2 } }, { changes: {} }]);
});

test('a burst is one snapshot', async () => {
  sender.begin();
  await settle();
  for (let n = 0; n < 1_000; n++) {
    state.a = n;
    sender.changed();
  }
  await settle();
  expect(taken).toBe(2);
  expect(sent.at(-1)).toEqual({ changes: { a: 999 } });
});

test('a page that is gone gets nothing; when it is back it gets all of it', async () => {
  sender.begin();
  await settle();
  sender.changed();
  sender.stop();
  state.b = ['y'];
  await settle();
  expect(sent).toHaveLength(1);
  sender.begin();
  await settle();
  expect(sent.at(-1)).toEqual({ whole: { a: 1, b: ['y'] } });
});

test('after a refusal the page gets all of it', async () => {
  sender.begin();
  await settle();
  failure = new Error('locked');
  sender.changed();
  await settle();
  failure = undefined;
  sender.changed();
  await settle();
  expect(sent.slice(1)).toEqual([{ refused: 'locked' }, { whole: { a: 1, b: ['x'] } }]);
});
