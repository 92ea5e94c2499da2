import { expect, test } from 'vitest';
import type { RanCommand, StoredCommand } from '#drawer/types.ts';
import { control, rig, type Rig } from '../drawer/rig.ts';

type Piece = ['stdout' | 'stderr', string];

const ended = { exitCode: 0, signal: undefined, stopped: undefined, duration: 12 };

/** A drawer whose commands write `pieces`, and what it says of one. */
const ran = async (
  pieces: readonly Piece[],
  end: Partial<RanCommand> = {},
  more: object = {},
): Promise<{ it: Rig; stored: StoredCommand }> => {
  const output = pieces.map(([stream, text]) => ({ stream, bytes: Buffer.from(text) }));
  const it = await rig({ run: () => Promise.resolve({ ...ended, ...end, output }) });
  const args = {
    session: it.session,
    command: 'make test',
    cwd: '/project',
    workspace: '/project',
    readable: [],
    environment: [],
    timeoutMs: 1_000,
    ...more,
  };
  return { it, stored: await it.drawer.storeCommand(args, control()) };
};

test('two outputs are never joined into one line', async () => {
  const { stored } = await ran([
    ['stdout', 'rg\n'],
    ['stdout', '/opt/x/ast-grep'],
    ['stderr', 'warning: old'],
    ['stdout', '476:settings(a)\n'],
    ['stderr', '497:other(b)\n'],
  ]);
  expect(stored.both.text).toBe('rg\n/opt/x/ast-grep\nwarning: old\n476:settings(a)\n497:other(b)\n');
  expect(stored.stderrLines).toEqual([
    [3, 3],
    [5, 5],
  ]);
});

test('one stream alone is what it wrote, however it was cut on the way', async () => {
  const { stored } = await ran([
    ['stdout', 'no end of '],
    ['stdout', 'line'],
    ['stdout', '\r\nlast'],
  ]);
  expect(stored).toMatchObject({ both: { text: 'no end of line\r\nlast' }, stderrLines: [] });
});

test.each<[string, Partial<RanCommand>]>([
  ['a difference that was found', { exitCode: 1 }],
  ['a missing program', { exitCode: 127 }],
  ['a signal', { exitCode: undefined, signal: 'SIGKILL' }],
  ['a timeout', { exitCode: undefined, signal: 'SIGKILL', stopped: 'timeout' }],
])('%s is told as it was, and nothing is concluded from it', async (_, end) => {
  const { stored } = await ran([['stdout', '1c1\n< one, two\n---\n> one two\n']], end);
  expect(stored).toMatchObject({ ...ended, ...end, both: { text: '1c1\n< one, two\n---\n> one two\n', inline: true } });
});

test('long output of both streams is stored in order and apart, byte for byte', async () => {
  const lines = Array.from({ length: 3_000 }, (_, i) => `step ${i} took ${i * 7} ms\n`).join('');
  const { it, stored } = await ran([
    ['stdout', lines],
    ['stderr', 'one warning'],
    ['stdout', lines],
  ]);
  const bytes = async (id = ''): Promise<string> => (await it.drawer.readDocument({ id })).bytes.toString();
  expect(await bytes(stored.both.id)).toBe(`${lines}one warning\n${lines}`);
  expect(await bytes(stored.stdout)).toBe(lines + lines);
  expect(await bytes(stored.stderr)).toBe('one warning');
  expect(stored.stderrLines).toEqual([[3_001, 3_001]]);
  expect((await it.drawer.documents({ limit: 9 })).map(({ keep }) => keep)).toEqual([false, false, false]);
});

test('a secret in the command does not stand in its title', async () => {
  const { it } = await ran([['stdout', 'ok']], {}, { command: 'deploy --token=abcd1234efgh', keep: true });
  expect(await it.drawer.documents({ limit: 1 })).toMatchObject([
    {
      title: 'deploy --token=‹redacted:token:12›',
      source: { kind: 'command', path: 'deploy --token=‹redacted:token:12›' },
    },
  ]);
});
