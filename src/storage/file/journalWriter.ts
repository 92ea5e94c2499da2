/**
 * Writes the log of one epoch. INVARIANTS
 * 1. When `append` resolves, the record is durable. When it rejects with `Unwritable`, no byte of it is left.
 * 2. A failed sync proves nothing about what is on disk: the writer is poisoned, and its owner steps down.
 */
import { closeSync, fdatasync, ftruncateSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Position } from './chain.ts';
import { createWhole, isUnwritable, writeAll } from './disk.ts';
import type { Fault } from '#storage/fault.ts';
import { encodeHeader, encodeRecord, fileFormat, type Entry } from './journal.ts';
import type { DataKey } from '#storage/sealing/keySlots.ts';
import { logFile } from './layout.ts';
import { fileSeal, type Seal } from '#storage/sealing/seal.ts';

/** The disk refused the record, and nothing of it is left. */
export class Unwritable extends Error {}
/** Nobody knows what is on disk. */
export class Poisoned extends Error {}

const sync = promisify(fdatasync);

export type JournalStart = Position & { id: string; epoch: number; before: number; dataKey: DataKey | undefined };

export class JournalWriter {
  readonly #folder: string;
  readonly #start: JournalStart;
  readonly #fault: Fault;
  readonly #seal: Seal | undefined;
  #file: number | undefined;
  #size = 0;
  #chain: number;

  constructor(folder: string, start: JournalStart, fault: Fault) {
    this.#folder = folder;
    this.#start = start;
    this.#fault = fault;
    this.#chain = start.chain;
    this.#seal = start.dataKey && fileSeal(start.dataKey.key, start.id, 'log', start.epoch);
  }

  get bytes(): number {
    return this.#size;
  }
  get chain(): number {
    return this.#chain;
  }
  /** The epoch that the next log names as the one before it. */
  get last(): number {
    return this.#file === undefined ? this.#start.before : this.#start.epoch;
  }

  /** Commits one record whose first entry is write number `first`. */
  async append(first: number, entries: readonly Entry[]): Promise<void> {
    const { bytes, chain } = encodeRecord(first, this.#chain, entries, this.#seal);
    const file = this.#write(bytes);
    try {
      this.#fault('sync');
      await sync(file);
    } catch (error) {
      throw new Poisoned('the journal could not be synced', { cause: error });
    }
    this.#fault('synced');
    this.#size += bytes.length;
    this.#chain = chain;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #write(bytes: Buffer): number {
    try {
      const file = (this.#file ??= this.#create());
      this.#fault('append', (share) => writeAll(file, bytes.subarray(0, Math.floor(share * bytes.length)), this.#size));
      writeAll(file, bytes, this.#size);
      this.#fault('appended');
      return file;
    } catch (error) {
      this.#undo();
      if (isUnwritable(error)) throw new Unwritable('the journal could not be written', { cause: error });
      throw error;
    }
  }

  #undo(): void {
    if (this.#file === undefined) return;
    try {
      ftruncateSync(this.#file, this.#size);
    } catch (error) {
      throw new Poisoned('a record that was cut short could not be removed', { cause: error });
    }
  }

  #create(): number {
    const { dataKey, ...start } = this.#start;
    const header = encodeHeader({ format: fileFormat, ...start, ...(dataKey && { sealed: dataKey.sealed }) });
    const file = logFile(this.#folder, start.epoch);
    createWhole(this.#folder, file, header, (step) => this.#fault(`log-${step}`));
    this.#size = header.length;
    return openSync(file, 'r+');
  }
}
