// An attacker who exchanges files of the workspace for pipes and links while Loom reads them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { remove, scratch, type TestClient } from './fixtures.ts';

const inside = 'INSIDE-31c';
const outside = 'OUTSIDE-8d2';

/** Exchanges `target.txt` (file, pipe, link outside) and `folder` (folder, link outside) as fast as it can. */
const swapping = `
const { linkSync, renameSync, rmSync, symlinkSync } = require('node:fs');
const { join } = require('node:path');
const { workspace, elsewhere, turns } = require('node:worker_threads').workerData;
const count = new Int32Array(turns);
const at = (name) => join(workspace, name);
const attempt = (act) => { try { act(); } catch {} };
const put = (make) => {
  attempt(() => rmSync(at('.next'), { force: true }));
  attempt(() => { make(at('.next')); renameSync(at('.next'), at('target.txt')); });
};
for (;;) {
  put((path) => linkSync(at('.file'), path));
  put((path) => linkSync(at('.pipe'), path));
  put((path) => symlinkSync(join(elsewhere, 'inner.txt'), path));
  attempt(() => { renameSync(at('folder'), at('.folder')); symlinkSync(elsewhere, at('folder')); });
  attempt(() => { rmSync(at('folder')); renameSync(at('.folder'), at('folder')); });
  Atomics.add(count, 0, 1);
}
`;

export type Figures = { reads: number; stored: number; refused: number; outside: number; swaps: number };

/** Reads while `goesOn` says so. A read that hangs never lets it settle. */
export const readWhileSwapped = async (
  loom: TestClient & { workspace: string },
  goesOn: (reads: number) => boolean,
): Promise<Figures> => {
  const elsewhere = scratch();
  const { workspace } = loom;
  const at = (name: string): string => join(workspace, name);
  for (const folder of [elsewhere, at('folder')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(elsewhere, 'inner.txt'), `${outside}\n`);
  for (const file of ['.file', 'target.txt', 'folder/inner.txt']) writeFileSync(at(file), `${inside}\n`);
  execFileSync('mkfifo', [at('.pipe')]);
  symlinkSync(elsewhere, at('.link'));
  const turns = new SharedArrayBuffer(4);
  const attacker = new Worker(swapping, { eval: true, workerData: { workspace, elsewhere, turns } });
  const figures: Figures = { reads: 0, stored: 0, refused: 0, outside: 0, swaps: 0 };
  try {
    while (goesOn(figures.reads)) {
      const path = figures.reads % 2 === 0 ? 'target.txt' : 'folder/inner.txt';
      const answer = await loom.ask('ctx_store_file', { path });
      figures.reads++;
      if (answer.includes(outside)) figures.outside++;
      else if (answer.includes(inside)) figures.stored++;
      else if (answer.startsWith('Error FILE_')) figures.refused++;
      else throw new Error(`An answer of no known kind: ${answer}`);
    }
  } finally {
    await attacker.terminate();
    remove(elsewhere);
  }
  return { ...figures, swaps: new Int32Array(turns)[0] ?? 0 };
};
