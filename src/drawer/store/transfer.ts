// Makes documents of one session anew in another.
import { LoomError } from '#base/errors.ts';
import type { CallControl } from '#base/rpc.ts';
import { readWhole } from '#drawer/documents/readWhole.ts';
import { nameWhole } from '#drawer/documents/named.ts';
import { parseId } from '#drawer/ids.ts';
import type { TransferArgs, Transferred } from '#drawer/types.ts';
import { storeStored, type StoreDeps } from './store.ts';

const transferOne = async (
  deps: StoreDeps,
  { id, ...named }: Awaited<ReturnType<typeof nameWhole>>,
  { from, to, move }: TransferArgs,
  control: CallControl,
): Promise<Transferred> => {
  const { info, bytes } = await readWhole(deps.call, named, { session: from });
  const title = named.chunk === undefined ? info.title : `${info.title} ${id}`;
  const { source, keep, redacted } = info;
  const stored = await storeStored(deps, { session: to, bytes, title, source, keep, redacted }, control);
  const successor = parseId(stored.id ?? '').document;
  if (move) {
    await deps.call('drawer.remove', { documents: [named.document], reason: 'moved', successor, now: deps.now() });
  }
  return { from: id, to: stored.id ?? '', bytes: bytes.length, duplicate: stored.duplicate };
};

/** Makes new documents of others in the session `to`: the only way for content from one session to another. */
export const transfer = async (deps: StoreDeps, args: TransferArgs, control: CallControl): Promise<Transferred[]> => {
  const { ids, from, to, move } = args;
  if (from === to) {
    throw new LoomError(
      'INVALID_ARGUMENTS',
      'from_session and to_session are the same, so nothing was transferred. Give the other one: ctx_list_sessions {} names the sessions.',
    );
  }
  // All of them before the first is moved.
  const named = [];
  for (const text of ids) named.push(await nameWhole(deps.call, from, text));
  const chunk = move ? named.find((one) => one.chunk !== undefined) : undefined;
  if (chunk !== undefined) {
    throw new LoomError(
      'INVALID_ARGUMENTS',
      `${chunk.id} is a chunk, which can only be copied. Move its document instead.`,
    );
  }
  for (const session of [from, to]) await deps.call('drawer.sessionOrThrow', session);
  const done: Transferred[] = [];
  for (const one of named) done.push(await transferOne(deps, one, args, control));
  if (move) await deps.erase();
  return done;
};
