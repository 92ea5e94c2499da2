// A drawer that this user may not read, most often another user's.
import { lstatSync } from 'node:fs';
import { userInfo } from 'node:os';
import { LoomError } from '#base/errors.ts';
import { codeOf } from '#storage/file/disk.ts';
import { storageErrors } from '#storage/room.ts';

const ownerOf = (path: string): number | undefined => {
  try {
    return lstatSync(path).uid;
  } catch {
    return undefined;
  }
};

/** What the system refused in `folder` as `DRAWER_UNREADABLE`; every other error as it is. */
export const asUnreadable = (folder: string, error: unknown): unknown => {
  if (error instanceof LoomError || !['EACCES', 'EPERM'].includes(codeOf(error) ?? '')) return error;
  const path = (error as NodeJS.ErrnoException).path ?? folder;
  const owner = ownerOf(path);
  const { uid, username } = userInfo();
  const whose = owner === undefined || owner === uid ? '' : ` It belongs to user ${owner}.`;
  return new LoomError(
    'DRAWER_UNREADABLE',
    `${username} may not read ${path} (${codeOf(error)}).${whose} ${storageErrors.DRAWER_UNREADABLE.fix}`,
    { cause: error },
  );
};

/** Whether there is such a folder; throws where the system does not tell. */
export const isThere = (folder: string): boolean => {
  try {
    lstatSync(folder);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return false;
    throw asUnreadable(folder, error);
  }
};
