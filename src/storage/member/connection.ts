/** A client's side of the connection to the owner. INVARIANT: no request is sent to whom has not proved to be the owner. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { LoomError } from '#base/errors.ts';
import { folderId, socketPath } from '#storage/machine/address.ts';
import { topLink, type Link, type Versions } from '#storage/file/chain.ts';
import { codeOf } from '#storage/file/disk.ts';
import { longestFrame, readFrames, sendFrame } from '#storage/wire/frames.ts';
import { macBy, sameMac, type ToMember, type ToOwner } from '#storage/wire/handshake.ts';

export type Hello = Extract<ToMember, { t: 'hello' }>;
export type OwnersFrame = Exclude<ToMember, Hello>;
export type ClientEvents = {
  onFrame: (frame: OwnersFrame) => void;
  /** The connection of a joined client is gone. */
  onLost: () => void;
  /** Asked each second: whether an owner that says nothing should be left where another has succeeded it. */
  impatient: () => boolean;
  /** Asked each second while the owner has not said hello. */
  givenUp: () => boolean;
};
export type Client = { protocol: Versions; app: string };
/** `dead`: nobody listens there. `wait`: somebody does, who is not ready or does not answer as the owner. */
export type Contact = { kind: 'joined'; connection: Connection } | { kind: 'dead' } | { kind: 'wait' };

export class Connection {
  readonly hello: Hello;
  readonly link: Link;
  /** Of this client's hello. */
  readonly nonce: string;
  readonly #socket: Socket;
  #asked = false;
  constructor(socket: Socket, hello: Hello, link: Link, nonce: string) {
    this.#socket = socket;
    this.hello = hello;
    this.link = link;
    this.nonce = nonce;
  }
  get gone(): boolean {
    return this.#socket.destroyed;
  }
  send(request: ToOwner): void {
    sendFrame(this.#socket, request);
  }
  /** Asks the owner to let go of the folder, once. */
  askToYield(wants: number): void {
    if (this.#asked) return;
    this.#asked = true;
    this.send({ t: 'yield', mac: macBy(this.link.secret, 'client', this.hello.nonce, this.nonce), wants });
  }
  close(): void {
    this.#socket.destroy();
  }
}

const watchMs = 1_000;

/** Greets the owner that `link` names. Rejects with `DRAWER_PROTOCOL` where this client is too old for it. */
export const contact = (folder: string, link: Link, client: Client, events: ClientEvents): Promise<Contact> =>
  new Greeting(folder, link, client, events).outcome;

class Greeting {
  readonly #folder: string;
  readonly #link: Link;
  readonly #client: Client;
  readonly #events: ClientEvents;
  readonly #socket: Socket;
  readonly #nonce = randomBytes(16).toString('hex');
  readonly #settled = Promise.withResolvers<Contact>();
  #state: 'greeting' | 'judged' | 'joined' = 'greeting';

  constructor(folder: string, link: Link, client: Client, events: ClientEvents) {
    this.#folder = folder;
    this.#link = link;
    this.#client = client;
    this.#events = events;
    const socket = connect(socketPath(folder, link.address));
    this.#socket = socket;
    readFrames(
      socket,
      () => longestFrame,
      (frame) => this.#onFrame(frame as ToMember),
    );
    const watch = setInterval(() => this.#look(), watchMs);
    watch.unref();
    socket.on('connect', () => sendFrame(socket, { t: 'hello', ...client, nonce: this.#nonce } satisfies ToOwner));
    socket.on('error', (error) => {
      const nobody = ['ECONNREFUSED', 'ENOENT'].includes(codeOf(error) ?? '');
      this.#settled.resolve({ kind: nobody ? 'dead' : 'wait' });
    });
    socket.on('close', () => {
      clearInterval(watch);
      this.#settled.resolve({ kind: 'wait' });
      if (this.#state === 'joined') events.onLost();
    });
  }

  get outcome(): Promise<Contact> {
    return this.#settled.promise;
  }

  #onFrame(frame: ToMember): void {
    if (frame.t !== 'hello') {
      if (this.#state === 'joined') this.#events.onFrame(frame);
    } else if (this.#state === 'greeting') {
      this.#state = 'judged';
      this.#greeted(frame);
    }
  }

  #greeted(hello: Hello): void {
    const { protocol } = this.#client;
    const verdict = judgeHello(hello, this.#link, this.#nonce, this.#folder, this.#client);
    const mac = macBy(this.#link.secret, 'client', hello.nonce, this.#nonce);
    switch (verdict) {
      case 'joined':
        this.#state = 'joined';
        sendFrame(this.#socket, { t: 'auth', mac } satisfies ToOwner);
        return this.#settled.resolve({
          kind: 'joined',
          connection: new Connection(this.#socket, hello, this.#link, this.#nonce),
        });
      case 'older':
        sendFrame(this.#socket, { t: 'yield', mac, wants: protocol[0] } satisfies ToOwner);
        this.#settled.resolve({ kind: 'wait' });
        return void this.#socket.end();
      case 'newer':
        this.#settled.reject(tooOld(hello, this.#client));
        return void this.#socket.destroy();
      default:
        this.#settled.resolve({ kind: verdict });
        return void this.#socket.destroy();
    }
  }

  /** Leaves an owner that says nothing: where another one has succeeded it, or nobody waits for it any more. */
  #look(): void {
    const joined = this.#state === 'joined';
    const over = (!joined || this.#events.impatient()) && succeededBy(this.#folder, this.#link);
    if (over || (!joined && this.#events.givenUp())) this.#socket.destroy();
  }
}

const judgeHello = (
  hello: Hello,
  link: Link,
  nonce: string,
  folder: string,
  { protocol }: Client,
): 'joined' | 'older' | 'newer' | 'dead' | 'wait' => {
  const genuine = sameMac(macBy(link.secret, 'owner', nonce, hello.nonce), hello.mac);
  // The folder was copied, and the link names the original's owner: nobody owns the copy.
  if (genuine && hello.folder !== folderId(folder)) return 'dead';
  if (!genuine || hello.owner !== link.owner) return 'wait';
  if (!hello.refused) return 'joined';
  return protocol[0] > hello.protocol[1] ? 'older' : 'newer';
};

const tooOld = (hello: Hello, { protocol }: Client): LoomError =>
  new LoomError(
    'DRAWER_PROTOCOL',
    `The window that holds the drawer speaks protocol ${hello.protocol.join('–')}, this program ${protocol.join('–')}. Reload this window, or update Loom.`,
  );

const succeededBy = (folder: string, link: Link): boolean => {
  try {
    const top = topLink(folder);
    return top.link !== undefined && top.link.owner !== link.owner;
  } catch {
    return false;
  }
};
