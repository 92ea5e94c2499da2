/** A client's side of the connection to the owner. INVARIANT: no request is sent to whom has not proved to be the owner. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { LoomError } from '#base/errors.ts';
import { folderId, socketPath } from '#storage/machine/address.ts';
import { topLink, type Link, type SeenLink, type Versions } from '#storage/file/chain.ts';
import { codeOf } from '#storage/file/disk.ts';
import { FrameReader, longestFrame, sendFrame } from '#storage/wire/frames.ts';
import { macBy, sameMac, type ToMember, type ToOwner } from '#storage/wire/handshake.ts';

export type Hello = Extract<ToMember, { t: 'hello' }>;
export type ClientEvents = {
  onFrame: (frame: Exclude<ToMember, Hello>) => void;
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
  readonly #socket: Socket;
  constructor(socket: Socket, hello: Hello) {
    this.#socket = socket;
    this.hello = hello;
  }
  send(request: ToOwner): void {
    sendFrame(this.#socket, request);
  }
  close(): void {
    this.#socket.destroy();
  }
}

const watchMs = 1_000;

/** Greets the owner that `seen` names. Throws `DRAWER_PROTOCOL` where this client is too old for it. */
export const contact = (folder: string, seen: SeenLink, client: Client, events: ClientEvents): Promise<Contact> =>
  new Promise((resolve, reject) => {
    const link = seen.link!;
    const socket = connect(socketPath(folder, link.address));
    const nonce = randomBytes(16).toString('hex');
    let joined = false;
    let settled = false;
    const settle = (contact: Contact): void => {
      settled = true;
      resolve(contact);
      if (contact.kind !== 'joined') socket.destroy();
    };

    const greeted = (hello: Hello): void => {
      const verdict = judgeHello(hello, link, nonce, folder, client);
      const mac = macBy(link.secret, 'client', hello.nonce, nonce);
      switch (verdict) {
        case 'joined': {
          joined = true;
          sendFrame(socket, { t: 'auth', mac } satisfies ToOwner);
          return settle({ kind: 'joined', connection: new Connection(socket, hello) });
        }
        case 'older':
          sendFrame(socket, { t: 'yield', mac, wants: client.protocol[0] } satisfies ToOwner);
          settled = true;
          resolve({ kind: 'wait' });
          return void socket.end();
        case 'newer':
          settled = true;
          reject(tooOld(hello, client));
          return void socket.destroy();
        default:
          return settle({ kind: verdict });
      }
    };

    const reader = new FrameReader(
      () => longestFrame,
      (value) => {
        const frame = value as ToMember;
        if (frame.t === 'hello' && !settled) greeted(frame);
        else if (frame.t !== 'hello' && joined) events.onFrame(frame);
      },
    );
    const watch = setInterval(() => {
      const over = (!joined || events.impatient()) && succeededBy(folder, link);
      if (over || (!joined && events.givenUp())) socket.destroy();
    }, watchMs);
    watch.unref();
    socket.on('connect', () => sendFrame(socket, { t: 'hello', ...client, nonce } satisfies ToOwner));
    socket.on('data', (chunk) => {
      try {
        reader.push(chunk);
      } catch {
        socket.destroy();
      }
    });
    socket.on('error', (error) => {
      const nobody = ['ECONNREFUSED', 'ENOENT'].includes(codeOf(error) ?? '');
      if (!settled) settle({ kind: nobody ? 'dead' : 'wait' });
    });
    socket.on('close', () => {
      clearInterval(watch);
      if (!settled) settle({ kind: 'wait' });
      if (joined) events.onLost();
    });
  });

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
