// Says of what is shown of a document how it stands to its file: what it is called, whether there is a newer version, and
// whether the file changed since.
import { stat } from 'node:fs/promises';
import type { OnDisk } from '#drawer/contents.ts';
import { documentId, parseId } from '#drawer/ids.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import type { Standing, StoredFile } from './paths.ts';

const mostNames = 3;

/** `prod.json = staging.json`: the same bytes under several names. */
export const nameOf = (title: string, names: readonly string[]): string => {
  if (names.length < 2) return title;
  const shown = names.slice(0, mostNames).join(' = ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
};

const lookAt = async ({ path, title, size, modified }: StoredFile): Promise<OnDisk | undefined> => {
  if (modified === undefined) return undefined;
  try {
    const now = await stat(path);
    return now.size === size && Math.floor(now.mtimeMs) === modified ? undefined : { title, state: 'changed' };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? { title, state: 'gone' } : undefined;
  }
};

const changedSince = async (files: readonly StoredFile[]): Promise<OnDisk | undefined> => {
  const looked = await Promise.all(files.slice(0, mostNames).map(lookAt));
  return looked.find((one) => one !== undefined);
};

type Shown = { title: string; newer?: string | undefined; onDisk?: OnDisk | undefined };

/** `shown` with what is known of their documents now; `idOf` gives each one's document or chunk. */
export const withStanding = async <S extends Shown>(
  call: DrawerCall,
  shown: readonly S[],
  idOf: (one: S) => string,
): Promise<S[]> => {
  const documents = Array.from(new Set(shown.map((one) => parseId(idOf(one)).document)));
  if (documents.length === 0) return [...shown];
  const found = await call('drawer.standings', { documents });
  const standings = new Map<number, Standing & { onDisk: OnDisk | undefined }>();
  for (const [n, standing] of found.entries())
    standings.set(documents[n] ?? 0, { ...standing, onDisk: await changedSince(standing.files) });
  return shown.map((one) => {
    const standing = standings.get(parseId(idOf(one)).document);
    if (standing === undefined) return one;
    const { newer, names, onDisk } = standing;
    return { ...one, title: nameOf(one.title, names), newer: newer && documentId(newer), onDisk };
  });
};
