// Reads a whole document, or its beginning, a page at a time: the owner answers others in between.
import type { DocumentInfo } from '#drawer/contents.ts';
import type { Named } from '#drawer/ids.ts';
import type { DrawerCall } from '#drawer/operations.ts';

const pageBytes = 1 << 20;

/** A document, or one chunk of it, as it is stored; no further than `mostBytes` and the page in which they end. */
export const readWhole = async (
  call: DrawerCall,
  { document, chunk }: Named,
  { session, mostBytes = Infinity }: { session?: string; mostBytes?: number } = {},
): Promise<{ info: DocumentInfo; bytes: Buffer }> => {
  const parts: Uint8Array[] = [];
  for (let from = 0; ;) {
    const read = await call('drawer.read', { session, document, chunk, from, most: pageBytes });
    parts.push(read.bytes);
    from = read.from + read.bytes.length;
    if (from >= Math.min(read.range[1], mostBytes)) return { info: read.info, bytes: Buffer.concat(parts) };
  }
};
