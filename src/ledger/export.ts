// Writes a scope's entries to a file.
import { open, rename, rm } from 'node:fs/promises';
import { LoomError } from '#base/errors.ts';
import type { Call } from '#base/operation.ts';
import { formats } from './formats.ts';
import type { ledgerOperations } from './operations.ts';
import type { ExportArgs } from './types.ts';

const rowsASlice = 1_000;

/** Writes what stands in a scope now to a file beside `file`, slice by slice, and puts it in its place at the end. */
export const exportEntries = async (
  call: Call<typeof ledgerOperations>,
  { format, file, ...scope }: ExportArgs,
): Promise<{ entries: number; bytes: number }> => {
  const { begin, row, end } = formats[format];
  const { report, last } = await call('ledger.summary', scope);
  const unfinished = `${file}.unfinished`;
  const handle = await open(unfinished, 'w', 0o600).catch((error: Error) => {
    throw new LoomError('INVALID_ARGUMENTS', `${file} cannot be written: ${error.message}.`, { cause: error });
  });
  try {
    let { bytesWritten: bytes } = await handle.write(begin(report));
    let entries = 0;
    for (let after = 0; after < last;) {
      const rows = await call('ledger.following', { ...scope, after, last, limit: rowsASlice });
      const text = rows.map((of, n) => row(of, entries + n === 0)).join('');
      bytes += (await handle.write(text)).bytesWritten;
      entries += rows.length;
      after = rows.at(-1)?.id ?? last;
    }
    bytes += (await handle.write(end)).bytesWritten;
    await handle.close();
    await rename(unfinished, file);
    return { entries, bytes };
  } catch (error) {
    await handle.close();
    await rm(unfinished, { force: true });
    throw error;
  }
};
