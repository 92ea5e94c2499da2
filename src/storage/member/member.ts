/**
 * One program's part in the drawer: client of the owner, or the owner itself, or, where nobody can own it, a reader.
 * INVARIANTS
 * 1. A request stays open until it is answered, late or refused for good; whoever owns the drawer next gets it again.
 * 2. Only a dead owner is succeeded. Whoever is alive and silent is waited for.
 */
import { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { CallOptions, Operations } from '#base/operation.ts';
import { judge, Superseded, topLink, type SeenLink } from '#storage/file/chain.ts';
import { contact, type Connection } from './connection.ts';
import { takeSeat, type Identity } from '#storage/owner/election.ts';
import type { ToMember } from '#storage/wire/handshake.ts';
import { corrupt, newer } from '#storage/file/journal.ts';
import { fingerprint } from '#storage/file/layout.ts';
import { Owner, type OwnerOptions } from '#storage/owner/owner.ts';
import { recover, sealedHeaders } from '#storage/file/recovery.ts';
import { Requests, type Asked } from './requests.ts';
import type { Admin, AdminName } from '#storage/types.ts';
import { View, viewReason } from './view.ts';

export type MemberOptions = Omit<OwnerOptions, 'onEnd'> & {
  operations: Operations;
  identity: Identity;
  /** Milliseconds to find an owner or become one; afterwards `open` fails. */
  openMs: number;
  /** Never owns the drawer itself. */
  clientOnly: boolean;
};

type State =
  | { kind: 'none' }
  | { kind: 'client'; connection: Connection }
  | { kind: 'owner'; owner: Owner }
  | { kind: 'view'; view: View };

const tornMs = 1_000;
const newerFirstMs = 3_000;
const longestWait = 50;
const readDeadline = 60_000;
const jobDeadline = 600_000;

export class Member {
  readonly #options: MemberOptions;
  readonly #log: Log;
  readonly #requests = new Requests();
  #state: State = { kind: 'none' };
  #attaching: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #seq: number | undefined;
  #torn: { seen: SeenLink; since: number } | undefined;
  /** Why the last try to own the drawer failed on the disk. */
  #unwritableUntil = 0;

  constructor(options: MemberOptions) {
    this.#options = options;
    this.#log = options.log;
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
    return (this.#attaching ??= this.#search().finally(() => {
      this.#attaching = undefined;
    }));
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  #ask(
    what: Pick<Asked, 't' | 'name' | 'args' | 'writes'>,
    options: { key?: string | undefined; deadline: number },
  ): Promise<unknown> {
    if (this.#closing) return Promise.reject(closed());
    const { asked, answer } = this.#requests.add(what, options, () => words[this.#state.kind]);
    this.#forward(asked);
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
      const judged = this.#judge(seen, performance.now() - start);
      const verdict = judged === 'ask' ? await this.#contact(seen, late) : judged;
      if (verdict === 'joined') return;
      if (verdict === 'dead') {
        if (await this.#succeed(seen)) return;
        continue;
      }
      if (late()) throw new LoomError('DEADLINE', 'The program that holds the drawer does not answer.');
      await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
      wait = Math.min(longestWait, wait * 1.5);
    }
  }

  #judge(seen: SeenLink, waited: number): 'dead' | 'ask' | 'wait' {
    const { identity, clientOnly } = this.#options;
    const { raw, link, epoch } = seen;
    const may = clientOnly ? 'wait' : 'dead';
    if (raw === undefined) return may;
    if (link === undefined) {
      if (this.#torn?.seen.raw !== raw || this.#torn.seen.epoch !== epoch)
        this.#torn = { seen, since: performance.now() };
      return performance.now() - this.#torn.since > tornMs ? may : 'wait';
    }
    const verdict = judge(link, identity.machine);
    if (link.format > identity.format && verdict !== 'ask') throw newer(`The drawer (Loom ${link.app})`);
    if (verdict === 'foreign') throw foreign(link.host);
    if (verdict === 'ask') return 'ask';
    // A newer member asked for the folder: it goes first.
    if ((link.wants ?? 0) > identity.protocol[1] && waited < newerFirstMs) return 'wait';
    return may;
  }

  async #contact(seen: SeenLink, givenUp: () => boolean): Promise<'joined' | 'dead' | 'wait'> {
    const { folder, identity, clientOnly } = this.#options;
    const { protocol, app } = identity;
    const met = await contact(
      folder,
      seen,
      { protocol, app },
      {
        onFrame: (frame) => this.#onFrame(frame),
        onLost: () => this.#lost(),
        impatient: () => this.#requests.size > 0,
        givenUp: () => givenUp() || this.#closing !== undefined,
      },
    );
    if (met.kind === 'joined') {
      if (this.#closing) met.connection.close();
      else this.#found({ kind: 'client', connection: met.connection }, met.connection.hello.seq);
      return 'joined';
    }
    if (met.kind === 'wait') return 'wait';
    if (seen.link!.format > identity.format) throw newer(`The drawer (Loom ${seen.link!.app})`);
    return clientOnly ? 'wait' : 'dead';
  }

  #onFrame(frame: Exclude<ToMember, { t: 'hello' }>): void {
    this.#seq = frame.seq;
    if (frame.t === 'changed') return this.#options.onChange();
    const asked = this.#requests.get(frame.id);
    if (frame.t === 'answer') asked?.settle(undefined, frame.value);
    else asked?.settle(new LoomError(frame.code, frame.message));
  }

  #lost(): void {
    this.#state = { kind: 'none' };
    this.#attachSoon();
  }

  /** Succeeds a dead owner; false where another did. */
  async #succeed(seen: SeenLink): Promise<boolean> {
    const { folder, keys, identity, fault } = this.#options;
    // A key that does not fit must change nothing, not even a link.
    await keys.open(sealedHeaders(folder));
    try {
      const known = seen.link?.damaged;
      if (known !== undefined && known === fingerprint(folder)) throw await this.#damage();
      const seat = await takeSeat(folder, seen, identity, fault);
      if (seat === undefined) return false;
      const owner = await Owner.take(seat, { ...this.#options, onEnd: (why) => this.#ended(why) });
      if (this.#closing) {
        this.#state = { kind: 'owner', owner };
        return true;
      }
      this.#log.info(`This program holds the drawer (epoch ${owner.epoch}).`);
      this.#found({ kind: 'owner', owner }, owner.seq);
      return true;
    } catch (error) {
      if (error instanceof Superseded) return false;
      const reason = viewReason(error);
      if (reason === undefined) throw error;
      await this.#openView(reason);
      return true;
    }
  }

  /** What was found damaged before, in the words of now. */
  async #damage(): Promise<LoomError> {
    const { folder, keys, functions, fault } = this.#options;
    let first: LoomError | undefined;
    const { image } = await recover({ folder, keys, functions, fault, mode: 'view', damage: (e) => (first ??= e) });
    image.close();
    return first ?? corrupt('it could not be read when it was opened last');
  }

  async #openView(reason: LoomError): Promise<void> {
    const { folder, keys, functions, fault, operations } = this.#options;
    const view = await View.open({ folder, keys, functions, fault }, operations, reason);
    this.#unwritableUntil = Date.now() + 1_000;
    this.#log.warn(`The drawer is open for reading only: ${reason.message}`);
    this.#found({ kind: 'view', view });
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

const foreign = (host: string): LoomError =>
  new LoomError(
    'DRAWER_FOREIGN',
    `The drawer was last held on another machine (${host}), and nobody here can tell whether it still is. Close Loom there; if that machine is off or gone, run \`loom unlock\` or confirm the unlock in VS Code.`,
  );
