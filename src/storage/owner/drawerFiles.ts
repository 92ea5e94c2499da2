/**
 * The owner's files: its place in the chain, its journal, its snapshots. A checkpoint is succeeding oneself: publish the
 * next epoch, so that its base is exactly the state in memory; then write that state under its own name.
 * INVARIANTS
 * 1. Nothing older is removed before what replaces it is durable, was read back, has its name, and the fence stands.
 * 2. There are two ways to the state: the snapshot before the newest stays, with the journals between, so that if the
 *    newest rots nothing is lost. Only where it holds what must not stay (purged content, another sealing) everything older
 *    goes at once; then the newest stands there twice.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fence, publish, readLink, Superseded, tidyLinks, type Link, type Position } from '#storage/file/chain.ts';
import { tidySockets } from '#storage/machine/address.ts';
import { isUnwritable, remove, tryRemove } from '#storage/file/disk.ts';
import type { Seat } from './election.ts';
import type { Fault } from '#storage/fault.ts';
import type { Image } from '#storage/image.ts';
import { journalCopies, type Entry } from '#storage/file/journal.ts';
import { JournalWriter } from '#storage/file/journalWriter.ts';
import type { DataKey } from '#storage/sealing/keySlots.ts';
import { copyFile, firstFile, list, logFile, snapshotFile, temporary, tornFile } from '#storage/file/layout.ts';
import type { Recovered } from '#storage/file/recovery.ts';
import { writeSnapshot, type SnapshotState } from '#storage/file/snapshotWriter.ts';

/** A journal shorter than this never asks for a checkpoint by its length. */
const leastJournal = 4 * 2 ** 20;

export type DrawerFilesOptions = {
  folder: string;
  fault: Fault;
  /** The journal's length that asks for a checkpoint; for tests. */
  checkpointBytes?: number | undefined;
};

export class DrawerFiles {
  readonly #folder: string;
  readonly #fault: Fault;
  readonly #seat: Seat;
  readonly #image: Image;
  readonly #id: string;
  readonly #least: number;
  #epoch: number;
  #fence: Fence;
  #journal: JournalWriter;
  #dataKey: DataKey | undefined;
  /** Number and chain value of the last durable write. */
  #at: Position;
  /** Epoch of the newest good snapshot. */
  #snapshot: number;
  #imported: boolean;
  /** Length of the logs since that snapshot, without the one that is being written. */
  #logBytes: number;
  #logs: number;
  #imageBytes: number;
  #patience = 1;
  #gone = false;
  #writing: Promise<void> | undefined;
  /** Milliseconds since 1970 of the last snapshot written here, and why the last try failed. */
  lastCheckpoint: number | undefined;
  lastError: string | undefined;

  constructor(options: DrawerFilesOptions, seat: Seat, from: Recovered, id: string, dataKey: DataKey | undefined) {
    this.#folder = options.folder;
    this.#fault = options.fault;
    this.#least = options.checkpointBytes ?? leastJournal;
    this.#seat = seat;
    this.#image = from.image;
    this.#id = id;
    this.#epoch = seat.epoch;
    this.#fence = seat.fence;
    this.#dataKey = dataKey;
    this.#at = { seq: from.seq, chain: from.chain };
    this.#snapshot = from.snapshot;
    this.#imported = from.imported;
    this.#logBytes = from.logBytes;
    this.#logs = from.logs;
    this.#imageBytes = from.image.usedBytes;
    this.#journal = this.#newJournal(from.before);
    // Where a second way to the state is still to be made, what is older goes after it.
    if (from.alone && !from.due) this.#tidyData(from.snapshot, from.snapshot);
  }

  get epoch(): number {
    return this.#epoch;
  }
  get sealed(): DataKey['sealed'] | undefined {
    return this.#dataKey?.sealed;
  }
  get journalBytes(): number {
    return this.#logBytes + this.#journal.bytes;
  }
  /** So much is to be replayed that the next owner is better off with a snapshot. */
  get worthLeaving(): boolean {
    return this.journalBytes / journalCopies > 256 * 2 ** 10 || this.#logs > 8;
  }

  stands(): boolean {
    return this.#fence.stands();
  }

  async append(first: number, entries: readonly Entry[]): Promise<void> {
    await this.#journal.append(first, entries);
    this.#at = { seq: first + entries.length - 1, chain: this.#journal.chain };
  }

  /** `now`: the journal has become so long that replaying it would cost more than a snapshot. */
  due(hasJobs: boolean): 'now' | 'idle' | undefined {
    const limit = Math.max(this.#least, this.#imageBytes / 8) * (hasJobs ? 4 : 1) * this.#patience;
    if (!this.#writing && this.journalBytes / journalCopies > limit) return 'now';
    return this.worthLeaving ? 'idle' : undefined;
  }

  /**
   * Between two batches. When this resolves the next batch may run, into the new epoch's journal, while the snapshot is
   * still being written; `written` tells how that went. With `alone` the snapshot is written first, and everything older goes.
   */
  async checkpoint(
    change: { alone?: boolean; dataKey?: DataKey | undefined } = {},
  ): Promise<{ written: Promise<void> }> {
    await this.#writing?.catch(() => undefined);
    const alone = change.alone ?? false;
    const dataKey = 'dataKey' in change ? change.dataKey : this.#dataKey;
    this.#fault('checkpoint-begin');
    this.#succeedOneself();
    this.#fault('checkpoint-rotated');
    const image = this.#image.export();
    this.#fault('checkpoint-exported');
    const state = { id: this.#id, epoch: this.#epoch, ...this.#at, dataKey, alone };
    const written = this.#write(state, image);
    this.#writing = written.finally(() => (this.#writing = undefined));
    this.#writing.catch(() => undefined);
    if (alone) await written.finally(() => this.#standOn(state.epoch, dataKey));
    return { written };
  }

  /** Once the snapshot has its name it counts, even where the older files could not be removed yet. */
  #standOn(epoch: number, dataKey: DataKey | undefined): void {
    if (this.#snapshot !== epoch) return;
    this.#dataKey = dataKey;
    this.#journal.close();
    this.#journal = this.#newJournal(epoch);
  }

  /** Waits for a snapshot that is being written. */
  async settle(): Promise<void> {
    await this.#writing?.catch(() => undefined);
  }

  /** Publishes that this owner is gone, and up to where the journal goes. */
  release(heir: Pick<Link, 'wants' | 'heir'> = {}): void {
    if (!this.#fence.stands()) return;
    const link = { ...this.#seat.link, ...heir, released: true, at: this.#at } as const;
    publish(this.#folder, this.#epoch + 1, link, this.#fault);
    tidyLinks(this.#folder, this.#epoch + 1);
  }

  /** No file is named or removed from here on. */
  close(): void {
    this.#gone = true;
    this.#journal.close();
    this.#image.close();
  }

  #newJournal(before: number): JournalWriter {
    const start = { id: this.#id, epoch: this.#epoch, before, ...this.#at, dataKey: this.#dataKey };
    return new JournalWriter(this.#folder, start, this.#fault);
  }

  #succeedOneself(): void {
    const next = this.#epoch + 1;
    if (!publish(this.#folder, next, { ...this.#seat.link, at: this.#at }, this.#fault))
      throw new Superseded('somebody else published the next epoch');
    const fence = new Fence(this.#folder, next);
    // Our own last link is still there, so the one we just made never existed before (invariant 2 of the chain).
    if (!fence.stands() || readLink(this.#folder, next - 1).raw === undefined)
      throw new Superseded('the links were removed');
    const before = this.#journal.last;
    this.#logBytes += this.#journal.bytes;
    if (before === this.#epoch) this.#logs++;
    this.#journal.close();
    this.#epoch = next;
    this.#fence = fence;
    this.#journal = this.#newJournal(before);
  }

  async #write(state: SnapshotState, image: Uint8Array): Promise<void> {
    try {
      const name = snapshotFile(this.#folder, state.epoch);
      if (!(await writeSnapshot(this.#folder, name, state, image, this.#fault, () => !this.#gone))) return;
      const oldest = state.alone ? state.epoch : this.#snapshot;
      const onlyOne = state.alone || this.#imported;
      this.#snapshot = state.epoch;
      this.#imageBytes = image.length;
      this.#logBytes = 0;
      this.#logs = 0;
      this.#patience = 1;
      this.lastCheckpoint = Date.now();
      this.lastError = undefined;
      if (onlyOne) await this.#writeCopy(state, image);
      if (this.#gone || !this.#fence.stands()) return;
      this.#fault('checkpoint-before-tidying');
      this.#tidyData(oldest, state.epoch);
      this.#imported = false;
      tidyLinks(this.#folder, this.#epoch);
      tidySockets(this.#folder, this.#seat.link.address);
      this.#fault('checkpoint-tidied');
    } catch (error) {
      // The journal has everything; the next try comes when it has grown twice as long.
      this.#patience *= 2;
      this.lastError = `checkpoint: ${wordsOf(error)}`;
      throw error;
    }
  }

  /** A disk that has no room for it has some when what is older is gone; else the next owner makes it. */
  async #writeCopy(state: SnapshotState, image: Uint8Array): Promise<void> {
    try {
      await writeSnapshot(
        this.#folder,
        copyFile(this.#folder, state.epoch),
        state,
        image,
        this.#fault,
        () => !this.#gone,
      );
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      this.lastError = `second copy of the snapshot: ${wordsOf(error)}`;
    }
  }

  /** Removes what `newest` makes needless, but not the snapshot `oldest` and the journals from there on. */
  #tidyData(oldest: number, newest: number): void {
    const folder = this.#folder;
    const { logs, snapshots, copies, torn } = list(folder);
    const alone = oldest === newest;
    // What must not stay is removed for sure; the rest goes when it can (on Windows a reader may hold it open).
    const discard = alone ? remove : tryRemove;
    for (const epoch of logs) {
      if (epoch >= oldest) continue;
      discard(logFile(folder, epoch));
      this.#fault('checkpoint-tidied-one');
    }
    for (const epoch of snapshots) if (epoch < newest && epoch !== oldest) discard(snapshotFile(folder, epoch));
    for (const epoch of copies) if (epoch < newest && epoch !== oldest) discard(copyFile(folder, epoch));
    for (const epoch of torn) if (alone && epoch < newest) remove(tornFile(folder, epoch));
    if (alone || this.#imported) remove(firstFile(folder));
    for (const name of readdirSync(folder)) {
      const [found, epoch] = temporary.exec(name) ?? [];
      if (found === undefined) continue;
      const file = join(folder, name);
      const old = epoch
        ? Number(epoch) < newest
        : Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 60_000;
      if (old || (alone && found.startsWith('drawer.') && Number(epoch ?? 0) < newest)) tryRemove(file);
    }
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
