/**
 * The member that owns the folder. INVARIANTS
 * 1. It answers only what the executor's fence let through.
 * 2. It leaves in one of two ways: handing over (finish, release the link, disconnect) or stepping down (stop at once,
 *    answer nobody). Either way its clients connect to the successor and send again what was not answered.
 */
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Operation, Operations } from '#base/operation.ts';
import type { RoomMigrations, SqlFunction } from '#base/tx.ts';
import { folderId } from '#storage/machine/address.ts';
import { administer } from './admin.ts';
import { Superseded, type Link } from '#storage/file/chain.ts';
import { compact } from './compact.ts';
import { begin, type Begun } from './dataKey.ts';
import { giveUp, type Seat } from './election.ts';
import { Executor } from './executor.ts';
import type { Fault } from '#storage/fault.ts';
import type { Image } from '#storage/image.ts';
import { Poisoned } from '#storage/file/journalWriter.ts';
import { DrawerFiles } from './drawerFiles.ts';
import { sealingKind, type DataKey, type KeyRing } from '#storage/sealing/keySlots.ts';
import { fingerprint } from '#storage/file/layout.ts';
import { migrationSteps } from '#storage/migrate.ts';
import { recover, sealedHeaders, type Recovered } from '#storage/file/recovery.ts';
import { Upkeep } from './upkeep.ts';
import { serveMember, type Request } from './serveMember.ts';
import type { AdminName, Compacted, OwnerHealth } from '#storage/types.ts';
import { UnknownOperation } from '#storage/wire/handshake.ts';

export type OwnerOptions = {
  folder: string;
  operations: Operations;
  migrations: readonly RoomMigrations[];
  functions: readonly SqlFunction[];
  keys: KeyRing;
  maxBytes: () => number;
  uncapped: ReadonlySet<string>;
  checkpointBytes: number | undefined;
  fault: Fault;
  log: Log;
  onRecoveryKey: (key: string) => void;
  /** Somebody committed. */
  onChange: () => void;
  /** This owner is no more; whoever was not answered asks the successor. */
  onEnd: (why: string) => void;
};

/** So long an owner goes on for whoever waits already, before it yields to a client that knows more. */
const patienceMs = 10_000;

export class Owner {
  readonly #options: OwnerOptions;
  readonly #seat: Seat;
  readonly #executor: Executor;
  readonly #files: DrawerFiles;
  readonly #image: Image;
  readonly #id: string;
  readonly #warnings: string[];
  readonly #clients = new Set<{ tell: () => void }>();
  readonly #upkeep: Upkeep;
  #ended: Promise<void> | undefined;

  private constructor(options: OwnerOptions, seat: Seat, from: Recovered, { id, dataKey }: Begun) {
    const { folder, fault, checkpointBytes } = options;
    this.#options = options;
    this.#seat = seat;
    this.#image = from.image;
    this.#id = id;
    this.#warnings = [...from.warnings, ...(from.doubt === undefined ? [] : [from.doubt])];
    this.#files = new DrawerFiles({ folder, fault, checkpointBytes }, seat, from, this.#id, dataKey);
    this.#executor = new Executor(
      {
        image: from.image,
        maxBytes: options.maxBytes,
        append: (first, entries) => this.#files.append(first, entries),
        stands: () => this.#files.stands(),
        fault,
      },
      from.seq,
    );
    this.#executor.onCommit = () => this.#upkeep.committed();
    this.#executor.onFail = (error) => void this.#stepDown(error);
    this.#upkeep = new Upkeep({
      log: options.log,
      look: () => this.#look(),
      tell: () => {
        for (const { tell } of this.#clients) tell();
        options.onChange();
      },
      due: () => this.#files.due(this.#executor.hasJobs),
      checkpoint: () => this.checkpoint(false),
    });
  }

  /** Reads the drawer and begins to answer. Gives the seat up where that fails. */
  static async take(seat: Seat, options: OwnerOptions): Promise<Owner> {
    let owner: Owner | undefined;
    try {
      const { folder, keys, functions, fault } = options;
      await keys.open(sealedHeaders(folder));
      const from = await recover({ folder, keys, functions, fault, mode: 'own' });
      owner = new Owner(options, seat, from, await begin(from, options));
      for (const warning of owner.#warnings) options.log.warn(warning);
      fault('recovered');
      await owner.#prepare(from);
      return owner;
    } catch (error) {
      giveUp(seat, options, damageSeen(options.folder, error));
      if (owner) {
        owner.#upkeep.stop();
        await owner.#executor.stop();
        owner.#files.close();
      }
      throw error;
    }
  }

  get epoch(): number {
    return this.#files.epoch;
  }
  get seq(): number {
    return this.#executor.seq;
  }

  run(
    { t, name, args, key, since }: Pick<Request, 't' | 'name' | 'args' | 'key' | 'since'>,
    done: (error: unknown, value?: unknown) => void,
  ): void {
    if (t === 'admin') {
      administer(this, name as AdminName, args as never).then(
        (value) => done(undefined, value),
        (error: unknown) => done(error),
      );
      return;
    }
    const operation = Object.hasOwn(this.#options.operations, name) ? this.#options.operations[name] : undefined;
    if (operation === undefined) return done(new UnknownOperation(name));
    const capped = operation.kind !== 'read' && !this.#options.uncapped.has(name);
    this.#executor.submit({ operation, args, key, since, capped, done });
  }

  health(): OwnerHealth {
    const files = this.#files;
    return {
      id: this.#id,
      epoch: files.epoch,
      writes: this.#executor.seq,
      imageBytes: this.#image.usedBytes,
      maxBytes: this.#options.maxBytes(),
      journalBytes: files.journalBytes,
      clients: this.#seat.listener.sockets.size,
      sealed: sealingKind(files.sealed),
      lastCheckpoint: files.lastCheckpoint,
      lastError: files.lastError,
      warnings: [...this.#warnings],
      longestTurn: this.#executor.longestTurn,
    };
  }

  /** A snapshot now; with `alone` nothing older stays, so that what was purged is gone. */
  async checkpoint(alone: boolean): Promise<void> {
    await this.#files.settle();
    const { written } = await this.#executor.alone(() => this.#files.checkpoint({ alone }));
    await written;
  }

  /** The image and its file without free space. */
  compact(): Promise<Compacted> {
    return this.#executor.alone(() => compact(this.#image, this.#files));
  }

  /** Everything anew under `dataKey`; the old files go. */
  async reseal(make: (id: string) => Promise<DataKey | undefined>): Promise<void> {
    const dataKey = await make(this.#id);
    await this.#files.settle();
    await this.#executor.alone(() => this.#files.checkpoint({ alone: true, dataKey }));
    if (dataKey) this.#options.keys.add(dataKey);
  }

  /** The plain SQLite file. */
  export(): Promise<Uint8Array> {
    return this.#executor.alone(() => {
      const image = this.#image.export();
      if (!this.#files.stands()) throw new Superseded('superseded');
      return image;
    });
  }

  /** Leaves: what runs is finished, and the next owner finds a short journal. */
  handOver(to: Pick<Link, 'wants' | 'heir'> = {}): Promise<void> {
    return (this.#ended ??= this.#leave(to));
  }

  async #prepare(from: Recovered): Promise<void> {
    // The first version's file must not stay the base of what is committed from now on.
    if (from.imported) await this.checkpoint(false);
    else if (from.due) await this.#secure(from.alone);
    for (const operation of migrationSteps(this.#options.migrations)) await this.#internal(operation);
    const { listener, link } = this.#seat;
    const { protocol } = link;
    const host = {
      secret: link.secret,
      owner: link.owner,
      folder: folderId(this.#options.folder),
      protocol,
      epoch: () => this.epoch,
      seq: () => this.seq,
      run: (request: Request, done: (error: unknown, value?: unknown) => void) => this.run(request, done),
      yieldTo: (who: Pick<Link, 'wants' | 'heir'>) => void this.handOver(who),
    };
    listener.accept((socket) => {
      const client = serveMember(socket, host);
      this.#clients.add(client);
      socket.on('close', () => this.#clients.delete(client));
    });
    this.#upkeep.start();
    this.#options.fault('ready');
  }

  /** Makes the second way to the state that is missing. Without it the drawer is as readable as before. */
  async #secure(alone: boolean): Promise<void> {
    try {
      await this.checkpoint(alone);
    } catch (error) {
      if (error instanceof Superseded) throw error;
      this.#options.log.warn(`No second copy of the drawer could be made: ${String(error)}`);
    }
  }

  #internal(operation: Operation<never, unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = (error: unknown, value?: unknown): void => (error === undefined ? resolve(value) : reject(error));
      this.#executor.submit({ operation, args: undefined, key: undefined, since: undefined, capped: false, done });
    });
  }

  #look(): void {
    const { file } = this.#seat.listener;
    if (!this.#files.stands()) void this.#stepDown(new Superseded('somebody succeeded this owner'));
    // Something that tidies temporary folders took it: nobody can reach this owner any more.
    else if (file !== undefined && !existsSync(file)) void this.#stepDown(new Superseded('its socket was removed'));
  }

  async #leave(to: Pick<Link, 'wants' | 'heir'>): Promise<void> {
    const files = this.#files;
    // Two programs that pass the drawer to and fro: each does first what it took it over for.
    if (to.heir !== undefined) await Promise.race([this.#executor.idle, pause(patienceMs, undefined, { ref: false })]);
    this.#upkeep.stop();
    await this.#executor.stop();
    await files.settle();
    try {
      // Where a client waits to be next, it is sooner there by the journal than by a snapshot.
      if (files.stands() && files.worthLeaving && this.#clients.size === 0) await (await files.checkpoint()).written;
    } catch (error) {
      // The journal has everything.
      this.#options.log.warn(`No snapshot was left: ${String(error)}`);
    }
    try {
      this.#options.fault('before-release');
      files.release(to);
      this.#options.fault('released');
    } catch (error) {
      this.#options.log.warn(`The link was not released: ${String(error)}`);
    }
    this.#end('it handed over');
  }

  #stepDown(error: unknown): Promise<void> {
    return (this.#ended ??= this.#fall(error));
  }

  async #fall(error: unknown): Promise<void> {
    this.#options.fault('stepping-down');
    this.#upkeep.stop();
    if (!(error instanceof Superseded)) this.#options.log.error('The owner of the drawer steps down', error);
    await this.#executor.stop();
    try {
      if (error instanceof Poisoned) this.#files.release();
    } catch {
      // The socket is refused as soon as it is closed; that is enough.
    }
    this.#end(error instanceof Error ? error.message : String(error));
  }

  #end(why: string): void {
    this.#seat.listener.close();
    this.#files.close();
    this.#options.onEnd(why);
  }
}

const damageSeen = (folder: string, error: unknown): string | undefined =>
  error instanceof LoomError && error.code === 'DRAWER_CORRUPT' ? fingerprint(folder) : undefined;
