/** Disks that refuse, lie or are full. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { files, open, Program, scratch, until, visit } from './harness.ts';

const failing = (code: string): Error => Object.assign(new Error(`injected ${code}`), { code });

test('a write that the disk refuses half way is undone and said; the next one is stored', async () => {
  const folder = scratch();
  let full = false;
  const store = await open(folder, {
    fault: (point, cut) => {
      if (!full || point !== 'append') return;
      cut!(0.6);
      throw failing('ENOSPC');
    },
  });
  const client = await open(folder);
  await client.call('add', { writer: 'd', n: 1 });
  full = true;
  const size = () => files(folder, 'log').map((file) => execFileSync('wc', ['-c', file]).toString());
  const before = size();
  // The first occupies the owner, so that the next two share a batch.
  const [, write, read] = await Promise.allSettled([
    store.call('count', undefined),
    store.call('add', { writer: 'd', n: 2 }),
    store.call('count', undefined),
  ]);
  expect(write).toMatchObject({ reason: { code: 'DRAWER_UNWRITABLE', message: /ENOSPC.*Free space/ } });
  // The read ran again after the write was undone: it saw nothing of it.
  expect(read).toMatchObject({ value: 1 });
  await expect(client.call('index', { name: 'j', count: 5 })).rejects.toMatchObject({ code: 'DRAWER_UNWRITABLE' });
  expect(size()).toEqual(before);
  full = false;
  expect(await client.call('add', { writer: 'd', n: 2 })).toEqual({ count: 2 });
  expect(await client.call('index', { name: 'j', count: 5 })).toBe(5);
  await client.close();
  await store.close();
  expect(await visit(folder, (again) => again.call('all', undefined))).toEqual(['d 1', 'd 2']);
});

test('a sync that fails proves nothing: the owner steps down, and the write is there once', async () => {
  const folder = scratch();
  let failed = 0;
  const store = await open(folder, {
    fault: (point) => {
      if (point === 'sync' && failed++ === 5) throw failing('EIO');
    },
  });
  const client = await open(folder);
  const { epoch } = await client.health();
  for (let n = 1; n <= 6; n++) expect(await client.call('add', { writer: 'd', n })).toEqual({ count: n });
  expect((await client.health()).epoch).toBeGreaterThan(epoch);
  expect(await store.call('count', undefined)).toBe(6);
});

test('a checkpoint that fails costs nothing and is tried again later', async () => {
  const folder = scratch();
  let full = true;
  const store = await open(folder, {
    checkpointBytes: 30_000,
    fault: (point) => {
      if (full && point === 'snapshot-synced') throw failing('ENOSPC');
    },
  });
  for (let n = 1; n <= 30; n++) await store.call('add', { writer: 'd', n, body: new Uint8Array(3_000) });
  await until(async () => (await store.health()).lastError, 'a failed checkpoint');
  expect(files(folder, 'sqlite')).toEqual([]);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  full = false;
  let n = 30;
  await until(async () => {
    await store.call('add', { writer: 'd', n: ++n, body: new Uint8Array(3_000) });
    return (await store.health()).lastCheckpoint;
  }, 'a checkpoint');
  expect((await store.health()).lastError).toBeUndefined();
  await store.close();
  expect(await visit(folder, (again) => again.call('count', undefined))).toBe(n);
});

test('a snapshot that reads back otherwise never gets its name', async () => {
  const folder = scratch();
  const store = await open(folder, {
    fault: (point) => {
      if (point !== 'snapshot-synced') return;
      const file = join(
        folder,
        readdirSync(folder).find((name) => name.endsWith('.sqlite.tmp'))!,
      );
      const fd = openSync(file, 'r+');
      writeSync(fd, Buffer.alloc(64, 0xaa), 0, 64, 5_000);
      closeSync(fd);
    },
  });
  await store.call('add', { writer: 'd', n: 1, body: new Uint8Array(20_000).fill(9) });
  await expect(store.checkpoint()).rejects.toThrow('did not read back');
  expect(files(folder, 'sqlite')).toEqual([]);
  expect(await store.call('count', undefined)).toBe(1);
});

test('the journal stays bounded while two programs write', async () => {
  const folder = scratch();
  const stores = [await open(folder, { checkpointBytes: 100_000 }), await open(folder)];
  for (let n = 1; n <= 150; n++)
    await Promise.all(stores.map((store, i) => store.call('add', { writer: `w${i}`, n, body: new Uint8Array(4_000) })));
  await until(async () => (await stores[0]!.health()).journalBytes < 400_000, 'checkpoints');
  expect(files(folder, 'sqlite').length).toBeLessThanOrEqual(2);
});

test('a disk that takes not even a link: what is there can be read, and writing goes on when it can', async () => {
  const folder = scratch();
  await visit(folder, (store) => store.call('add', { writer: 'd', n: 1 }));
  let full = true;
  const store = await open(folder, {
    fault: (point) => {
      if (full && point === 'publish-written') throw failing('ENOSPC');
    },
  });
  expect(await store.health()).toMatchObject({ role: 'view', problem: /ENOSPC/, missing: [] });
  expect(await store.call('all', undefined)).toEqual(['d 1']);
  await expect(store.call('add', { writer: 'd', n: 2 })).rejects.toMatchObject({ code: 'DRAWER_UNWRITABLE' });
  full = false;
  await until(
    () =>
      store.call('add', { writer: 'd', n: 2 }).then(
        () => true,
        () => false,
      ),
    'writing to go on',
  );
  expect((await store.health()).role).toBe('owner');
  expect(await store.call('all', undefined)).toEqual(['d 1', 'd 2']);
});

test('the folder removed under a live owner: writes are refused or stored anew, nothing hangs', async () => {
  const folder = join(scratch(), 'gone');
  const store = await open(folder);
  await store.call('add', { writer: 'd', n: 1 });
  execFileSync('rm', ['-r', folder]);
  await expect(store.call('add', { writer: 'd', n: 2 }, { deadline: 3_000 })).rejects.toThrow();
});

test.runIf(process.platform !== 'win32')(
  'short writes of the kernel: at a file size limit nothing acknowledged is lost',
  async () => {
    const folder = scratch();
    // The write that crosses the limit is short, the next one fails.
    const program = Program.limited(400);
    await program.up;
    await program.open(folder);
    let stored = 0;
    const refusals: string[] = [];
    const fill = async (): Promise<void> => {
      for (let n = 1; n <= 70; n++) {
        const args = { writer: 'd', n: stored + 1, body: new Uint8Array(7_000).fill(n) };
        const write = program.tell('call', { name: 'add' as never, args: args as never });
        await write.then(
          () => stored++,
          ({ code }: { code: string }) => refusals.push(code),
        );
      }
    };
    await fill();
    expect(new Set(refusals)).toEqual(new Set(['DRAWER_UNWRITABLE']));
    // A journal holds everything twice: only with a second one the image is too large for a file.
    await program.tell('checkpoint');
    await fill();
    await expect(program.tell('checkpoint')).rejects.toThrow(/EFBIG|file too large/i);
    expect(files(folder, 'sqlite')).toHaveLength(1);
    // The checkpoint that failed began another journal, which has room again.
    const before = stored;
    await fill();
    expect(stored).toBeGreaterThan(before);
    await program.tell('close');
    await visit(folder, async (store) => {
      expect(await store.call('count', undefined)).toBe(stored);
      expect(await store.call('integrity', undefined)).toBe('ok');
    });
  },
);
