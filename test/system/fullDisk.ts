/** Run on a file system of 3 MB: fills it, goes on, makes room, goes on. Prints what happened as JSON. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoomError } from '#base/errors.ts';
import { openStore } from '#storage/store.ts';
import { notes } from '../storage/notes.ts';

const disk = process.argv[2]!;
const ballast = join(disk, 'ballast');
writeFileSync(ballast, new Uint8Array(1_000_000));
const options = { folder: join(disk, 'drawer'), ...notes, checkpointBytes: 300_000 };
const owner = await openStore(options);
const client = await openStore(options);
let stored = 0;
const refusals = new Set<string>();
const add = (store: typeof client): Promise<unknown> =>
  store.call('add', { writer: 'f', n: stored + 1, body: new Uint8Array(20_000).fill(stored) }).then(
    () => stored++,
    (error: unknown) => refusals.add(error instanceof LoomError ? error.code : String(error)),
  );
for (let i = 0; i < 150; i++) await add(client);
const whenFull = stored;
const readable = await client.call('count', undefined);
await client.close();
await owner.close();
writeFileSync(ballast, new Uint8Array(10));
const again = await openStore(options);
for (let i = 0; i < 5; i++) await add(again);
const afterRoom = stored;
const count = await again.call('count', undefined);
const integrity = await again.call('integrity', undefined);
await again.close();
rmSync(ballast);
console.log(JSON.stringify({ whenFull, readable, refusals: [...refusals], afterRoom, count, integrity }));
