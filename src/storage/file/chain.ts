/**
 * The chain of owners. INVARIANTS
 * 1. `owner.<e>` appears at once with its whole content (`link(2)`), is never rewritten, and the highest e is the owner:
 *    that the file exists *is* the publication.
 * 2. Links vanish in ascending order only, never `owner.1`, never one's own. So if the link that a candidate judged dead
 *    is still there unchanged after it published the next number, that number had never existed before.
 * 3. Safety does not rest on judging liveness right. Whoever answers looks first whether it was succeeded (`Fence`), and
 *    a successor publishes before it reads: it sees everything that was ever answered.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { codeOf, tryRemove } from './disk.ts';
import type { Fault } from '#storage/fault.ts';
import { linkFile, list } from './layout.ts';
import type { Machine } from '#storage/machine/machine.ts';

/** A state of the drawer: so many writes, and the check value of the last record. */
export type Position = { seq: number; chain: number };
/** Lowest and highest protocol that a program speaks. */
export type Versions = readonly [min: number, max: number];

export type Link = Machine & {
  /** Makes two links with the same content different. */
  nonce: string;
  /** Names the owner; the links that it publishes while it succeeds itself share it. */
  owner: string;
  /** Of its socket: relative to the folder where it has no directory part. */
  address: string;
  /** Shared with whoever may read this file; see handshake.ts. */
  secret: string;
  protocol: Versions;
  /** Of the files. */
  format: number;
  app: string;
  /** The owner's, where the system tells whether a process is stopped. */
  process?: { pid: number; space: string } | undefined;
  /** The owner went of its own accord, or a person said that it is gone. */
  released?: true;
  /** A newer member asked for the folder: it speaks at least this protocol. */
  wants?: number;
  /** The client that asked for the folder, by the nonce of its hello: it has an operation that this owner does not know. */
  heir?: string;
  /** The journal held this much when the link was published: less than that later on is damage. */
  at?: Position;
  /** The owner could not read the drawer; `fingerprint` of what it saw. */
  damaged?: string;
};

export type SeenLink = {
  epoch: number;
  /** The file's bytes, in latin1; undefined where there is no such file. */
  raw: string | undefined;
  /** Undefined where absent or torn. */
  link: Link | undefined;
};

/** A link's text: its JSON, whose last member is the check value of all before. */
const withCheck = (json: string): string => `${json.slice(0, -1)},"crc":${crc32(json)}}`;

/** Links of earlier programs have no check value. */
const parse = (raw: string): Link | undefined => {
  try {
    const text = Buffer.from(raw, 'latin1').toString('utf8');
    const checked = /^([^]*),"crc":\d*\}$/.exec(text)?.[1];
    if (checked !== undefined && withCheck(`${checked}}`) !== text) return undefined;
    const link = JSON.parse(text) as Link;
    return link.nonce ? link : undefined;
  } catch {
    return undefined;
  }
};

export const readLink = (folder: string, epoch: number): SeenLink => {
  try {
    const raw = readFileSync(linkFile(folder, epoch), 'latin1');
    return { epoch, raw, link: parse(raw) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { epoch, raw: undefined, link: undefined };
    throw error;
  }
};

export const topLink = (folder: string): SeenLink => readLink(folder, list(folder).top);

/** File systems that have no hard links, by the codes they answer with. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EISDIR', 'EINVAL', 'UNKNOWN']);

/** Publishes `owner.<epoch>`; false where somebody else already had. */
export const publish = (folder: string, epoch: number, link: Omit<Link, 'nonce'>, fault: Fault): boolean => {
  const text = withCheck(JSON.stringify({ ...link, nonce: randomBytes(12).toString('hex') }));
  const temporary = join(folder, `owner.tmp.${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
    fault('publish-written');
    linkSync(temporary, linkFile(folder, epoch));
    fault('publish-linked');
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!noLinks.has(codeOf(error) ?? '')) throw error;
  } finally {
    tryRemove(temporary);
  }
  return publishByCreation(folder, epoch, text, fault);
};

/** Without hard links a reader may meet the file half written; it then waits as for any torn link. */
const publishByCreation = (folder: string, epoch: number, text: string, fault: Fault): boolean => {
  try {
    const fd = openSync(linkFile(folder, epoch), 'wx', 0o600);
    try {
      fault('publish-created');
      writeSync(fd, text);
    } finally {
      closeSync(fd);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
};

/** Whether the link just published above `judged` made its publisher the owner (invariant 2). */
export const succeeded = (folder: string, judged: SeenLink): boolean => {
  const { epoch, raw } = judged;
  return readLink(folder, epoch).raw === raw && list(folder).top === epoch + 1;
};

/** `dead`: may be succeeded. `ask`: connect and see. `foreign`: nobody here can tell. */
export const judge = (link: Link, here: Machine): 'dead' | 'ask' | 'foreign' => {
  if (link.released) return 'dead';
  const sameMachine = link.machine === here.machine && link.host === here.host;
  if (link.boot === here.boot) return link.boot !== '' || sameMachine ? 'ask' : 'foreign';
  return sameMachine ? 'dead' : 'foreign';
};

const identity = (file: string): string | undefined => {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino}:${stat.mtimeNs}`;
};

/** Says whether the owner of an epoch may still answer. */
export class Fence {
  readonly #folder: string;
  readonly #epoch: number;
  readonly #own: string | undefined;
  constructor(folder: string, epoch: number) {
    this.#folder = folder;
    this.#epoch = epoch;
    this.#own = identity(linkFile(folder, epoch));
  }

  /** The order matters: the successor first, one's own link second, for tidying removes ours before our successor's. */
  stands(): boolean {
    try {
      if (identity(linkFile(this.#folder, this.#epoch + 1)) !== undefined) return false;
      return this.#own !== undefined && identity(linkFile(this.#folder, this.#epoch)) === this.#own;
    } catch {
      return false;
    }
  }
}

/** Thrown inside an owner that was succeeded or must not go on; its callers ask the successor. Never leaves this room. */
export class Superseded extends Error {}

const linksLeft = 16;
/** Removes the links that nobody can still be judging. */
export const tidyLinks = (folder: string, epoch: number): void => {
  for (const old of list(folder).links) if (old > 1 && old <= epoch - linksLeft) tryRemove(linkFile(folder, old));
};
