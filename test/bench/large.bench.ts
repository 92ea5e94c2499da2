// One log of 120 MB from file to hit: how long each step takes, and the most memory that the whole process has at a time.
// `npm run bench large [MB]`. The engine runs as in an editor: in a worker of this process, from the bundle.
import { createWriteStream, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { silentLog } from '#base/log.ts';
import { bundles, openLoom } from '../fixtures.ts';
import { logText } from './corpus.ts';

const megabytes = Number(process.argv[2] ?? 120);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loom-bench-')));
const file = createWriteStream(join(folder, 'big.log'));
for (let part = 0; part < megabytes; part++) file.write(logText(2 ** 20, part + 1));
file.end('the last line holds a zanzibar needle\n');
await finished(file);
globalThis.gc?.();

const loom = openLoom({ programs: bundles, workspace: folder, drawer: join(folder, 'drawer'), log: silentLog });
const { drawer, storage } = loom.services;
const control = { signal: new AbortController().signal, progress: () => undefined };
const session = await drawer.session({ client: 'bench', root: folder });
const mb = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;
let peak = 0;
const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 25);
const start = process.memoryUsage.rss();

const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
  peak = 0;
  const from = performance.now();
  const said = await work();
  const seconds = ((performance.now() - from) / 1_000).toFixed(1);
  console.log(`${name.padEnd(34)} ${seconds.padStart(6)} s   peak ${mb(peak)}   ${JSON.stringify(said)}`);
};

console.log(`${megabytes} MB of log; before: ${mb(start)}`);
await step('stored (acknowledged, durable)', async () => {
  const args = { session, paths: ['big.log'], roots: [folder] };
  const { stored } = await drawer.storeFiles(args, control);
  return { id: stored[0]?.id, tokens: stored[0]?.tokens, chunks: stored[0]?.chunks };
});
const find = async (query: string, regex = false): Promise<unknown> => {
  const { passages, matched } = await drawer.search({ session, query, regex, limit: 3, units: 3_000 }, control);
  return { matched, hits: passages[0]?.hits };
};
await step('found while it is being indexed', () => find('zanzibar needle'));
// The index that had begun is dropped and made from the start: the same work, and an end to wait for.
await step('indexed', () => drawer.rebuildIndex({}, control));
await step('found through the index', () => find('zanzibar needle'));
await step('found by pattern', () => find(String.raw`zan\w+ needle$`, true));
await step('found by pattern, many hits', () => find(String.raw`refused to 10\.0\.7\.5:5432 after 1\d\d`, true));
const { imageBytes } = await storage.health({});
console.log(`image ${mb(imageBytes)}`);
await step('purged, nothing left on disk', async () => {
  const { documents } = await drawer.purge({ session, own: session, confirm: true });
  return { documents };
});
const { longestTurn } = await storage.health({});
console.log(`the owner's longest turn: ${Math.round(longestTurn)} ms`);
clearInterval(timer);
await loom.end();
rmSync(folder, { recursive: true });
