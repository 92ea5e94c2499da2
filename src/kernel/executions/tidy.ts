// What processes that ended left behind.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Call } from '#base/operation.ts';
import { asItIs, endedInfo } from './liveness.ts';
import type { Ended, kernelOperations } from './operations.ts';
import { filesOf, ownerOf } from './outputFile.ts';

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;

const leftBy = async (path: string): Promise<number> => {
  const sizes = await Promise.all(filesOf(path).map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0);
};

/**
 * Marks cells as killed whose host is gone, and removes files in `folder` that no record names. `gone` holds workers of this
 * process that ended.
 */
export const tidy = async (
  call: Call<typeof kernelOperations>,
  folder: string,
  gone: ReadonlySet<string>,
): Promise<void> => {
  // In this order: a file is made when a record names it already.
  const names = await readdir(folder).catch((): string[] => []);
  const { files, running } = await call('kernel.files', undefined);
  const named = new Set(files);
  const left = names.filter((name) => !named.has(ownerOf(name)));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true }).catch(() => undefined)));
  const ended: Ended = [];
  for (const { session, info, file, ...host } of running)
    if (asItIs(info, host, gone).status === 'killed')
      ended.push({
        session,
        execution: info.execution,
        host: host.host,
        cause: endedInfo.cause,
        lost: endedInfo.lost,
        bytes: file === undefined ? 0 : await leftBy(join(folder, file)),
      });
  if (ended.length > 0) await call('kernel.settle', { ended });
};
