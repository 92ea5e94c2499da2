/** Files that are not as they were written: torn is told from damaged, and nothing is dropped silently. */
import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeHeader, readRecords } from '#storage/file/journal.ts';
import { files, open, recordsOf, scratch, spoil, visit, type NoteStore } from './harness.ts';

/** A copy of the files of a drawer that is open: as a kill would leave them. */
const copyLive = (folder: string): string => {
  const copy = join(scratch(), 'copy');
  cpSync(folder, copy, { recursive: true, filter: (name) => !basename(name).startsWith('s.') });
  return copy;
};

/** A folder whose owner was killed after `count` writes, each a record of its own. */
const killed = async (count: number, between?: (store: NoteStore, n: number) => Promise<unknown>): Promise<string> => {
  const folder = scratch();
  const store = await open(folder);
  for (let n = 1; n <= count; n++) {
    await store.call('add', { writer: 'k', n });
    await between?.(store, n);
  }
  return copyLive(folder);
};

const change = (file: string, edit: (bytes: Buffer) => Uint8Array): void => {
  writeFileSync(file, edit(readFileSync(file)));
};
const notesIn = (folder: string): Promise<string[]> => visit(folder, (store) => store.call('all', undefined));
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `k ${i + 1}`);

/** Opens for reading only, says why, keeps the rest readable, and changes nothing on disk but the chain of owners. */
const expectDamaged = async (folder: string, readable: string[], why: RegExp): Promise<void> => {
  const data = (): string[] => readdirSync(folder).filter((name) => name.startsWith('drawer'));
  const before = data().map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);
  for (const _ of ['first', 'again'])
    await visit(folder, async (store) => {
      const health = await store.health();
      expect(health).toMatchObject({ role: 'view', problem: why });
      expect(health.missing.join()).toMatch(why);
      expect(await store.call('all', undefined)).toEqual(readable);
      await expect(store.call('add', { writer: 'x', n: 1 })).rejects.toMatchObject({
        code: 'DRAWER_CORRUPT',
        message: /loom doctor/,
      });
    });
  expect(data().map((name) => [name, readFileSync(join(folder, name)).toString('base64')])).toEqual(before);
};

test('the last record cut short: the write it held was acknowledged to nobody', async () => {
  const folder = await killed(3);
  const [log] = files(folder, 'log');
  const whole = readFileSync(log!);
  const { at: last, length } = recordsOf(log!).at(-1)!;
  for (let size = last; size < whole.length; size += size < last + 30 ? 3 : 80) {
    const copy = copyLive(folder);
    truncateSync(files(copy, 'log')[0]!, size);
    // Where one copy of it is whole, so is the write.
    const isThere = size >= last + length;
    await visit(copy, async (store) => {
      expect(await store.call('all', undefined)).toEqual(numbered(isThere ? 3 : 2));
      const { warnings } = await store.health();
      const isTorn = !isThere && size > last;
      expect(warnings.map((text) => /cut short.*nothing is missing/.test(text))).toEqual(isTorn ? [true] : []);
      if (isTorn) expect(readFileSync(files(copy, 'torn')[0]!)).toEqual(whole.subarray(last, size));
      if (!isThere) await store.call('add', { writer: 'k', n: 3 });
    });
    expect(await notesIn(copy)).toEqual(numbered(3));
  }
});

test('a log cut at every byte reads as the whole records before the cut', async () => {
  const [log] = files(await killed(2), 'log');
  const whole = readFileSync(log!);
  const all = recordsOf(log!);
  const decoded = decodeHeader(whole, 1);
  for (let size = decoded.start; size <= whole.length; size++) {
    const records = readRecords(whole.subarray(0, size), decoded, undefined, undefined);
    let step = records.next();
    let count = 0;
    for (; !step.done; step = records.next()) count++;
    const complete = all.filter(({ at, length }) => at + length <= size).length;
    const { at } = all[complete] ?? { at: whole.length };
    expect([size, count, step.value.torn, step.value.mended]).toEqual([size, complete, Math.max(0, size - at), 0]);
  }
  // As soon as one copy of the header is whole, it can be read.
  for (let size = 0; size < decoded.start / 2; size++)
    expect(() => decodeHeader(whole.subarray(0, size), 1)).toThrow('damaged');
});

test.each([
  ['zeros', Buffer.alloc(5_000)],
  ['garbage', Buffer.from('LOOMLOG1REC1REC1'.repeat(50))],
])('%s behind the last record are a torn end', async (_, tail) => {
  const folder = await killed(3);
  change(files(folder, 'log')[0]!, (bytes) => Buffer.concat([bytes, tail]));
  expect(await notesIn(folder)).toEqual(numbered(3));
});

/** Offsets in each part of a record: magic, length, number, chain before, check values, payload. */
const parts = (length: number): number[] => [0, 5, 9, 17, 21, 25, 60, length - 1];

test('a bit changed in one copy of a record: the other one serves, and that is said', async () => {
  const folder = await killed(4);
  const all = recordsOf(files(folder, 'log')[0]!);
  for (const record of [all.at(-3)!, all.at(-1)!])
    for (const copy of [0, 1])
      for (const offset of parts(record.length)) {
        const damaged = copyLive(folder);
        spoil(files(damaged, 'log')[0]!, record, offset, [copy]);
        await visit(damaged, async (store) => {
          const { role, warnings } = await store.health();
          expect({ role, warnings: warnings.join() }).toEqual({
            role: 'owner',
            warnings: expect.stringMatching(/^Journal 1 is damaged.*nothing is missing/),
          });
          expect(await store.call('all', undefined)).toEqual(numbered(4));
        });
        expect(await notesIn(damaged)).toEqual(numbered(4));
      }
});

test('a bit changed in both copies is damage; only that write is missing, and it is told by its number', async () => {
  const folder = await killed(4);
  const third = recordsOf(files(folder, 'log')[0]!).at(-3)!;
  for (const offset of parts(third.length)) {
    const copy = copyLive(folder);
    spoil(files(copy, 'log')[0]!, third, offset);
    await expectDamaged(copy, ['k 1', 'k 3', 'k 4'], /journal 1 is unreadable from byte/);
    await visit(copy, async (store) =>
      expect((await store.health()).missing).toEqual([expect.stringMatching(/^Write 5 is missing/)]),
    );
  }
});

test('a bit changed in the last record after a clean close is damage, for the link says how far the journal goes', async () => {
  const folder = scratch();
  await visit(folder, async (store) => {
    for (let n = 1; n <= 3; n++) await store.call('add', { writer: 'k', n });
  });
  const log = files(folder, 'log')[0]!;
  const last = recordsOf(log).at(-1)!;
  spoil(log, last, last.length - 3);
  await expectDamaged(folder, numbered(2), /ends at write 5, but 6 were acknowledged/);
});

test('after a crash a last record that has its length but not its content is not called cut short', async () => {
  const folder = await killed(3);
  const log = files(folder, 'log')[0]!;
  const last = recordsOf(log).at(-1)!;
  spoil(log, last, last.length - 3);
  await visit(folder, async (store) => {
    expect(await store.call('all', undefined)).toEqual(numbered(2));
    expect((await store.health()).warnings).toEqual([expect.stringMatching(/is not what was written.*it is missing/)]);
  });
});

test('a record left out is damage', async () => {
  const folder = await killed(4);
  const [before, last] = recordsOf(files(folder, 'log')[0]!).slice(-2);
  change(files(folder, 'log')[0]!, (bytes) => Buffer.concat([bytes.subarray(0, before!.at), bytes.subarray(last!.at)]));
  await expectDamaged(folder, ['k 1', 'k 2', 'k 4'], /does not go on/);
});

test('a log missing in the middle, cut short, or with a bad header is damage; put back, all is well', async () => {
  const folder = scratch();
  for (let n = 1; n <= 3; n++) await visit(folder, (store) => store.call('add', { writer: 'k', n }));
  const middle = files(folder, 'log')[1]!;
  const kept = `${middle}.kept`;
  copyFileSync(middle, kept);
  const [first] = recordsOf(middle);
  const faults: [RegExp, string[], () => void][] = [
    [/journal 3 is missing/, numbered(1), () => rmSync(middle)],
    [/journal 3 ends at write/, ['k 1', 'k 3'], () => truncateSync(middle, first!.at + 10)],
    [/header of journal 3/, numbered(1), () => change(middle, (bytes) => bytes.fill(0, 20, first!.at - 20))],
    [/header of journal 3/, numbered(1), () => truncateSync(middle, 0)],
  ];
  for (const [why, readable, damage] of faults) {
    damage();
    await expectDamaged(folder, readable, why);
    copyFileSync(kept, middle);
  }
  rmSync(kept);
  expect(await notesIn(folder)).toEqual(numbered(3));
});

const rot: [string, (file: string) => void][] = [
  ['cut', (file) => truncateSync(file, 9_000)],
  ['empty', (file) => truncateSync(file, 0)],
  ['changed', (file) => change(file, (bytes) => bytes.fill(7, 4_100, 4_101))],
  [
    'of another epoch',
    (file) =>
      change(file, (bytes) => Buffer.from(bytes.toString('latin1').replace('"epoch":', '"epoch": 1'), 'latin1')),
  ],
];
test.each(rot)('the newest snapshot %s: the one before it and the journals have everything', async (_, damage) => {
  const folder = await killed(5, (store, n) => (n === 2 || n === 4 ? store.checkpoint() : Promise.resolve()));
  expect(files(folder, 'sqlite')).toHaveLength(2);
  damage(files(folder, 'sqlite').at(-1)!);
  await visit(folder, async (store) => {
    expect(await store.call('all', undefined)).toEqual(numbered(5));
    const { warnings, lastCheckpoint } = await store.health();
    expect(warnings.join()).toMatch(/snapshot 3/);
    expect(lastCheckpoint).toBeDefined();
  });
  expect(await notesIn(folder)).toEqual(numbered(5));
});

test('no snapshot left and the first journals gone: what is readable is nothing, and it says so', async () => {
  const folder = await killed(3, (store) => store.checkpoint());
  for (const file of files(folder, 'sqlite')) truncateSync(file, 100);
  await visit(folder, async (store) => {
    expect((await store.health()).role).toBe('view');
    await expect(store.call('all', undefined)).rejects.toThrow();
  });
});

// In a long folder the link names a socket elsewhere, which is that of the original.
test.each(['short', 'long'.repeat(30)])('a copied folder (%s) is a drawer of its own', async (name) => {
  const folder = join(scratch(), name);
  const original = await open(folder);
  await original.call('add', { writer: 'k', n: 1 });
  const copy = await open(copyLive(folder));
  await copy.call('add', { writer: 'k', n: 2 });
  expect([await original.call('count', undefined), await copy.call('count', undefined)]).toEqual([1, 2]);
});

test('an older copy of the folder put back opens as it was', async () => {
  const folder = await killed(1);
  const backup = `${folder}.backup`;
  cpSync(folder, backup, { recursive: true });
  await visit(folder, (store) => store.call('add', { writer: 'k', n: 2 }));
  rmSync(folder, { recursive: true });
  renameSync(backup, folder);
  expect(await notesIn(folder)).toEqual(numbered(1));
});
