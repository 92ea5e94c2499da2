/*
 * How long another call waits while a large document is stored and indexed: `npm run bench busy [MB]`. Searches in a small
 * document are sent one after the other, with 20 ms between them, until the index is whole. By the wall clock.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '#base/log.ts';
import type { Call } from '#base/operation.ts';
import { createDrawer } from '#drawer/drawer.ts';
import { drawerFunctions } from '#drawer/index/functions.ts';
import { drawerOperations, type DrawerOperations } from '#drawer/operations.ts';
import { drawerMigrations } from '#drawer/schema.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';
import { defaultCounter as counter } from '#ledger/types.ts';
import { openStore } from '#storage/store.ts';
import { logText } from './corpus.ts';

const bytes = Buffer.from(logText(Number(process.argv[2] ?? 50) * 2 ** 20));
const folder = mkdtempSync(join(tmpdir(), 'loom-busy-'));
const store = await openStore({
  folder,
  operations: drawerOperations,
  migrations: [{ room: 'drawer', migrations: drawerMigrations }],
  functions: drawerFunctions,
});
const call = store.call as Call<DrawerOperations>;
const drawer = createDrawer({ call, count: countTokens, counter, log: silentLog });
const session = await drawer.session({ client: 'bench', root: '/' });
const control = { signal: new AbortController().signal, progress: (): void => undefined };
const put = (content: Buffer, title: string) =>
  drawer.store({ session, bytes: content, title, source: { kind: 'text' }, keep: true }, control);
const { id = '' } = await put(Buffer.from(logText(100_000, 2)), 'small.log');
await call('drawer.index', undefined);

type Waits = number[];
const asked = async (waits: Waits): Promise<void> => {
  const from = performance.now();
  await drawer.search({ session, query: 'connection refused', doc: id, limit: 3, units: 2000 });
  waits.push(performance.now() - from);
  await wait(20);
};
const until = async (ended: Promise<unknown>): Promise<Waits> => {
  const waits: Waits = [];
  let done = false;
  void ended.finally(() => {
    done = true;
  });
  do await asked(waits);
  while (!done);
  return waits;
};
const row = (waits: Waits): Record<string, string | number> => {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number): string => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)} ms`;
  return { calls: waits.length, p50: at(0.5), p95: at(0.95), max: at(1) };
};
const stored = await until(put(bytes, 'large.log'));
const indexed = await until(call('drawer.index', undefined));
console.table({
  [`while ${bytes.length} bytes are stored`]: row(stored),
  'while they are indexed': row(indexed),
});
await store.close();
rmSync(folder, { recursive: true, force: true });
