import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { maskBytes } from '#base/maskBytes.ts';
import type { Entry } from '#kernel/output/entry.ts';
import { longestHold, MaskStream } from '#kernel/output/maskStream.ts';
import { heldOut } from '../base/secrets/heldOut.ts';
import { tuned } from '../base/secrets/tuned.ts';

type Text = Extract<Entry, { text: string }>;

const open = () => {
  const entries: Entry[] = [];
  const stream = new MaskStream((entry) => entries.push(entry));
  const texts = (): [string, string][] =>
    entries.filter((entry): entry is Text => 'text' in entry).map(({ kind, text }) => [kind, text]);
  const text = (): string => texts().map(([, text]) => text).join(''); // prettier-ignore
  const write = (...pieces: string[]): void => pieces.forEach((text) => stream.add({ kind: 'stdout', text }));
  const warn = (...pieces: string[]): void => pieces.forEach((text) => stream.add({ kind: 'stderr', text }));
  return { stream, entries, texts, text, write, warn };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each(Object.entries({ tuned, heldOut }))(
  'all samples, %s: cut into two writes anywhere it is masked as in the drawer',
  async (_, { secrets, harmless }) => {
    for (const sample of [...secrets, ...harmless]) {
      const whole = `${sample.replaceAll(/[«»]/g, '')}\n`;
      const { bytes } = await maskBytes(Buffer.from(whole));
      for (let at = 0; at < whole.length; at += 1 + Math.floor(whole.length / 200)) {
        const { stream, text, write } = open();
        write(whole.slice(0, at), whole.slice(at));
        stream.add({ kind: 'end' });
        expect(text()).toBe(bytes.toString());
      }
    }
  },
);

describe('what is held back, and how long', () => {
  test('a line that is whole is shown at once, and what is behind it is held', () => {
    const { texts, write } = open();
    write('one\ntwo\npass');
    expect(texts()).toEqual([['stdout', 'one\ntwo\n']]);
    write('word=hunter2hunter2\n');
    expect(texts().slice(1)).toEqual([['stdout', 'password=‹redacted:password:14›\n']]);
  });

  test('a line without an end is shown after a second, and its rest is masked all the same', () => {
    const { text, write } = open();
    write('working on it: password=');
    vi.advanceTimersByTime(longestHold - 1);
    expect(text()).toBe('');
    vi.advanceTimersByTime(1);
    expect(text()).toBe('working on it: password=');
    write('hunter2hunter2\n');
    expect(text()).toBe('working on it: password=‹redacted:password:14›\n');
  });

  test('of a secret whose line paused in it the rest is masked', () => {
    const { text, write } = open();
    write('password=hun');
    vi.advanceTimersByTime(longestHold);
    write('ter2hunter2\nend\n');
    expect(text()).toBe('password=hun‹redacted:password:11›\nend\n');
  });

  test('each step of a progress bar is shown as the next begins, the last after a second', () => {
    const { text, write } = open();
    write('\r 10%', '\r 20%', '\r 30%');
    expect(text()).toBe('\r 10%\r 20%\r');
    vi.advanceTimersByTime(longestHold);
    expect(text()).toBe('\r 10%\r 20%\r 30%');
  });

  test('streams keep the order of their writes', () => {
    const { texts, write, warn } = open();
    write('password=hunter2');
    warn('careful\n');
    expect(texts()).toEqual([]);
    write('hunter2\n');
    expect(texts()).toEqual([
      ['stdout', 'password=‹redacted:password:14›'],
      ['stderr', 'careful\n'],
      ['stdout', '\n'],
    ]);
  });

  test.each<[string, Entry]>([
    ['its end', { kind: 'end' }],
    ['an error', { kind: 'error', ename: 'E', evalue: 'x', traceback: ['x'] }],
    ['a result', { kind: 'result', data: { 'text/plain': '1' }, metadata: {} }],
  ])('%s ends the wait, and nothing is lost or told twice', (_, entry) => {
    const { stream, entries, write, warn } = open();
    write('half a line');
    warn('and another');
    stream.add(entry);
    vi.advanceTimersByTime(10 * longestHold);
    expect(entries).toEqual([{ kind: 'stdout', text: 'half a line' }, { kind: 'stderr', text: 'and another' }, entry]);
  });

  test('a private key is held until its end, what stands before it is not', () => {
    const { text, write } = open();
    const body = 'MC4CAQAwBQYDK2VwBCIEIabcdefghijk';
    write('one\n-----BEGIN PRIVATE KEY-----\n', `${body}\n`);
    expect(text()).toBe('one\n');
    write(`${body}\n-----END PRIVATE `, 'KEY-----\ntwo\n');
    expect(text()).toBe('one\n‹redacted:privatekey:119›\n\n\n\ntwo\n');
  });

  test('a giant line is not held as a whole, and a secret in it is masked wherever it was cut', () => {
    const { text, write } = open();
    const filler = 'x '.repeat(20_000);
    for (let n = 0; n < 20; n++) write(filler, ' password=hunter2', 'hunter2 ');
    expect(text().length).toBeGreaterThan(700_000);
    write('\n');
    expect(text()).toBe(`${`${filler} password=‹redacted:password:14› `.repeat(20)}\n`);
  });

  test('nothing is left of what is dropped', () => {
    const { stream, text, write } = open();
    write('half');
    stream.drop();
    vi.advanceTimersByTime(longestHold);
    write(' a line\n');
    expect(text()).toBe(' a line\n');
  });
});
