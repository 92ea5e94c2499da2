/**
 * One program's part in the drawer: client of the owner, or the owner itself, or, where nobody can own it, a reader.
 * INVARIANT: a request stays open until it is answered, late or refused for good; whoever owns the drawer next gets it again.
 */
import { asLoomError, LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { CallOptions } from '#base/operation.ts';
import { Superseded, topLink, type SeenLink } from '#storage/file/chain.ts';
import { sealedHeaders } from '#storage/file/recovery.ts';
import { Owner } from '#storage/owner/owner.ts';
import type { Admin, AdminName } from '#storage/types.ts';
import { contact, type Connection, type OwnersFrame } from './connection.ts';
import { asUnreadable } from '#storage/folder/unreadable.ts';
import { LinkJudge } from './linkJudge.ts';
import { Requests, type Asked } from './requests.ts';
import { StoppedOwner } from './stoppedOwner.ts';
import { takeOver, type Successor } from './takeOver.ts';
import type { View } from './view.ts';

export type MemberOptions = Omit<Successor, 'onEnd'> & {
  /** Milliseconds to find an owner or become one; afterwards `open` fails. */
  openMs: number;
  /** Never owns the drawer itself. */
  clientOnly: boolean;
  /** Milliseconds that an owner is waited for whose process is stopped. */
  stoppedMs: number;
};

type State =
  | { kind: 'none' }
  | { kind: 'client'; connection: Connection }
  | { kind: 'owner'; owner: Owner }
  | { kind: 'view'; view: View };

const longestWait = 50;
const readDeadline = 60_000;
const jobDeadline = 600_000;

export class Member {
  readonly #options: MemberOptions;
  readonly #log: Log;
  readonly #requests = new Requests();
  readonly #judge: LinkJudge;
  #state: State = { kind: 'none' };
  #attaching: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #seq: number | undefined;
  /** As whom this member asked an owner for the folder. */
  #nonce: string | undefined;
  /** Why this program cannot own the drawer, whoever lets go of it. */
  #tooOld: LoomError | undefined;
  readonly #watch: StoppedOwner;
  /** Why the last try to own the drawer failed on the disk. */
  #unwritableUntil = 0;

  constructor(options: MemberOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#judge = new LinkJudge(options.identity);
    const { folder, identity, stoppedMs, log } = options;
    this.#watch = new StoppedOwner({
      folder,
      machine: identity.machine,
      stoppedMs,
      log,
      isWaitedFor: () => this.#waits,
      onReleased: () => {
        if (this.#state.kind === 'client') this.#state.connection.close();
      },
    });
  }

  get role(): State['kind'] {
    return this.#state.kind;
  }
  get view(): View | undefined {
    return this.#state.kind === 'view' ? this.#state.view : undefined;
  }

  call(name: string, args: unknown, { key, deadline }: CallOptions = {}): Promise<unknown> {
    const { operations } = this.#options;
    const kind = Object.hasOwn(operations, name) ? operations[name]?.kind : undefined;
    if (kind === undefined) return Promise.reject(new LoomError('INTERNAL', `no operation ${name}`));
    const fallback = kind === 'job' ? jobDeadline : readDeadline;
    return this.#ask({ t: 'call', name, args, writes: kind !== 'read' }, { key, deadline: deadline ?? fallback });
  }

  admin<N extends AdminName>(name: N, args: Admin[N]['args'], deadline = jobDeadline): Promise<Admin[N]['answer']> {
    const writes = name === 'seal';
    return this.#ask({ t: 'admin', name, args, writes }, { deadline }) as Promise<Admin[N]['answer']>;
  }

  /** Finds the owner or becomes it. */
  attach(): Promise<void> {
    return (this.#attaching ??= this.#search()
      .catch((error: unknown) => {
        throw asUnreadable(this.#options.folder, error);
      })
      .finally(() => {
        this.#attaching = undefined;
      }));
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** For an owner other than this program, which could take its place. */
  get #waits(): boolean {
    const others = this.#state.kind === 'client' || this.#state.kind === 'none';
    return others && this.#requests.size > 0 && this.#closing === undefined && !this.#options.clientOnly;
  }

  #ask(
    what: Pick<Asked, 't' | 'name' | 'args' | 'writes'>,
    options: { key?: string | undefined; deadline: number },
  ): Promise<unknown> {
    if (this.#closing) return Promise.reject(closed());
    const { asked, answer } = this.#requests.add(what, options, () => words[this.#state.kind]);
    this.#forward(asked);
    this.#watch.start();
    return answer;
  }

  #forward(asked: Asked): void {
    const { t, id, name, args, key, settle } = asked;
    const state = this.#state;
    const since = asked.since === undefined ? {} : { since: asked.since };
    switch (state.kind) {
      case 'client':
        asked.since ??= this.#seq;
        return state.connection.send({ t, id, name, args, key, ...since });
      case 'owner':
        asked.since ??= state.owner.seq;
        return state.owner.run({ t, name, args, key, ...since }, (error, value) => {
          if (!(error instanceof Superseded)) settle(error, value);
        });
      case 'view':
        return this.#look(state.view, asked);
      case 'none':
        this.#attachSoon();
    }
  }

  #look(view: View, asked: Asked): void {
    const retry = view.reason.code === 'DRAWER_UNWRITABLE' && asked.writes && Date.now() > this.#unwritableUntil;
    if (retry || !view.current) {
      view.close();
      this.#state = { kind: 'none' };
      return this.#attachSoon();
    }
    try {
      if (asked.t === 'admin') throw view.reason;
      asked.settle(undefined, view.read(asked.name, asked.args));
    } catch (error) {
      asked.settle(error);
    }
  }

  #attachSoon(): void {
    if (this.#closing) return;
    this.attach().catch((error: unknown) => this.#requests.rejectAll(error));
  }

  /** Everything that is not answered yet goes to whoever was found. */
  #found(state: State, seq?: number): void {
    this.#state = state;
    if (this.#closing) return;
    const moved = this.#seq !== undefined && seq !== this.#seq;
    this.#seq = seq ?? this.#seq;
    for (const asked of this.#requests.all()) this.#forward(asked);
    if (moved) this.#options.onChange();
  }

  async #search(): Promise<void> {
    const start = performance.now();
    let wait = 2;
    const late = (): boolean => performance.now() - start > this.#options.openMs && this.#requests.size === 0;
    while (!this.#closing && this.#state.kind === 'none') {
      const seen = topLink(this.#options.folder);
      const judged = this.#judge.judge(seen, performance.now() - start, this.#nonce);
      const verdict = judged === 'ask' ? await this.#contact(seen, late) : judged;
      if (verdict === 'joined') return;
      if (verdict === 'dead' && !this.#options.clientOnly) {
        if (await this.#succeed(seen)) return;
        continue;
      }
      if (late()) throw new LoomError('DEADLINE', 'The program that holds the drawer does not answer.');
      await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
      wait = Math.min(longestWait, wait * 1.5);
    }
  }

  async #contact(seen: SeenLink, givenUp: () => boolean): Promise<'joined' | 'dead' | 'wait'> {
    const { folder, identity } = this.#options;
    const { protocol, app } = identity;
    const events = {
      onFrame: (frame: OwnersFrame) => this.#onFrame(frame),
      onLost: () => this.#lost(),
      impatient: () => this.#requests.size > 0,
      givenUp: () => givenUp() || this.#closing !== undefined,
    };
    const met = await contact(folder, seen.link!, { protocol, app }, events);
    if (met.kind === 'joined') return this.#join(met.connection);
    if (met.kind === 'dead') this.#judge.refuseNewer(seen.link);
    return met.kind;
  }

  async #join(connection: Connection): Promise<'joined' | 'wait'> {
    const { keys, folder } = this.#options;
    await keys
      .admit(() => sealedHeaders(folder))
      .catch((error: unknown) => {
        connection.close();
        throw error;
      });
    if (connection.gone) return 'wait';
    if (this.#closing) connection.close();
    else this.#found({ kind: 'client', connection }, connection.hello.seq);
    return 'joined';
  }

  #onFrame(frame: OwnersFrame): void {
    this.#seq = frame.seq;
    if (frame.t === 'changed') return this.#options.onChange();
    const asked = this.#requests.get(frame.id);
    if (frame.t === 'answer') return asked?.settle(undefined, frame.value);
    const refusal = new LoomError(frame.code, frame.message);
    if (asked && frame.unknown) void this.#askForDrawer(asked, refusal);
    else asked?.settle(refusal);
  }

  /** The owner does not know what this program has: it is asked to yield, and `asked` stays open until this one owns the drawer. */
  async #askForDrawer(asked: Asked, refusal: LoomError): Promise<void> {
    const { keys, folder, identity, clientOnly } = this.#options;
    const state = this.#state;
    if (state.kind !== 'client') return;
    try {
      // Whoever could not own it must not make its owner let go.
      if (clientOnly) throw refusal;
      if (this.#tooOld) throw this.#tooOld;
      this.#judge.refuseNewer(state.connection.link);
      await keys.open(sealedHeaders(folder));
    } catch (error) {
      const reason = error === refusal ? '' : ` This program cannot hold it: ${asLoomError(error).message}`;
      return asked.settle(new LoomError(refusal.code, `${refusal.message}${reason}`, { cause: error }));
    }
    this.#nonce = state.connection.nonce;
    state.connection.askToYield(identity.protocol[0]);
  }

  #lost(): void {
    this.#state = { kind: 'none' };
    this.#attachSoon();
  }

  /** Succeeds a dead owner; false where another did. */
  async #succeed(seen: SeenLink): Promise<boolean> {
    const options = { ...this.#options, onEnd: (why: string) => this.#ended(why) };
    const found = await takeOver(options, seen).catch((error: unknown) => {
      if (error instanceof LoomError && error.code === 'DRAWER_NEWER') this.#tooOld = error;
      throw error;
    });
    if (found instanceof Owner) {
      this.#log.info(`This program holds the drawer (epoch ${found.epoch}).`);
      this.#found({ kind: 'owner', owner: found }, found.seq);
    } else if (found) {
      this.#unwritableUntil = Date.now() + 1_000;
      this.#log.warn(`The drawer is open for reading only: ${found.reason.message}`);
      this.#found({ kind: 'view', view: found });
    }
    return found !== undefined;
  }

  #ended(why: string): void {
    this.#log.info(`This program no longer holds the drawer: ${why}.`);
    this.#state = { kind: 'none' };
    // Also where nothing is asked: a window wants to hear of what others commit.
    this.#attachSoon();
  }

  async #close(): Promise<void> {
    await this.#attaching?.catch(() => undefined);
    const state = this.#state;
    if (state.kind === 'owner') await state.owner.handOver();
    else if (state.kind === 'client') state.connection.close();
    else if (state.kind === 'view') state.view.close();
    this.#requests.rejectAll(closed());
  }
}

const words: Record<State['kind'], string> = {
  none: 'nobody holds the drawer yet',
  client: 'the program that holds the drawer is silent',
  owner: 'this program holds the drawer',
  view: 'the drawer is open for reading only',
};

const closed = (): LoomError => new LoomError('DRAWER_CLOSED', 'The drawer was closed in this program.');
