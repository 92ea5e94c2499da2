/**
 * Becoming the owner: judge, bind, publish, verify. INVARIANT: at most one candidate succeeds at each epoch, and it knows
 * that it did before it reads a single data file. A candidate that lost leaves its link where it is: removing it would
 * break invariant 2 of the chain.
 */
import { randomBytes } from 'node:crypto';
import { Fence, publish, succeeded, type Link, type SeenLink, type Versions } from '#storage/file/chain.ts';
import type { Fault } from '#storage/fault.ts';
import { Listener } from './listener.ts';
import type { Machine } from '#storage/machine/machine.ts';
import { ownProcess } from '#storage/member/stoppedOwner.ts';

/** What a member is, in all of its links. */
export type Identity = { protocol: Versions; format: number; app: string; machine: Machine };

/** An owner's place: everything it needs to prove that it is the owner. */
export type Seat = { epoch: number; link: Omit<Link, 'nonce'>; listener: Listener; fence: Fence };

/** Succeeds `judged`, which is dead; undefined where somebody else was faster. */
export const takeSeat = async (
  folder: string,
  judged: SeenLink,
  { protocol, format, app, machine }: Identity,
  fault: Fault,
): Promise<Seat | undefined> => {
  fault('before-bind');
  const listener = await Listener.bind(folder);
  let seat: Seat | undefined;
  try {
    fault('bound');
    const epoch = judged.epoch + 1;
    const link = {
      owner: randomBytes(12).toString('hex'),
      address: listener.address,
      secret: randomBytes(32).toString('hex'),
      protocol,
      format,
      app,
      process: ownProcess(),
      ...machine,
    };
    if (!publish(folder, epoch, link, fault)) return undefined;
    fault('published');
    if (!succeeded(folder, judged)) return undefined;
    fault('verified');
    const fence = new Fence(folder, epoch);
    if (fence.stands()) seat = { epoch, link, listener, fence };
    return seat;
  } finally {
    if (seat === undefined) listener.close();
  }
};

/** A seat that its candidate cannot fill: the link says so, so that nobody waits for it. */
export const giveUp = (
  { epoch, link, listener, fence }: Seat,
  { folder, fault }: { folder: string; fault: Fault },
  damaged: string | undefined,
): void => {
  listener.close();
  try {
    if (fence.stands()) publish(folder, epoch + 1, { ...link, released: true, ...(damaged && { damaged }) }, fault);
  } catch {
    // Refused connections say the same.
  }
};
