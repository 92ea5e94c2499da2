/** The owner's side of one connection. INVARIANT: nothing is run for a client that has not proved that it knows the secret. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { asLoomError } from '#base/errors.ts';
import { Superseded, type Link, type Versions } from '#storage/file/chain.ts';
import { longestFrame, longestGreeting, readFrames, sendFrame } from '#storage/wire/frames.ts';
import { macBy, meet, sameMac, UnknownOperation, type ToMember, type ToOwner } from '#storage/wire/handshake.ts';

export type Request = Extract<ToOwner, { t: 'call' | 'admin' }>;

/** What a connection needs of the owner. */
export type Host = {
  secret: string;
  owner: string;
  folder: string;
  protocol: Versions;
  epoch: () => number;
  seq: () => number;
  run: (request: Request, done: (error: unknown, value?: unknown) => void) => void;
  yieldTo: (who: Pick<Link, 'wants' | 'heir'>) => void;
};

/** Beyond so many unread bytes a client is not listened to until it has read them. */
const unreadLimit = 32 * 2 ** 20;
const greetingMs = 20_000;

const sending =
  (socket: Socket) =>
  (frame: ToMember): void => {
    sendFrame(socket, frame);
    if (socket.writableLength > unreadLimit && !socket.isPaused()) {
      socket.pause();
      socket.once('drain', () => socket.resume());
    }
  };

/** Serves `socket` until it closes; `tell` sends it word of a change. */
export const serveMember = (socket: Socket, host: Host): { tell: () => void } => {
  const nonce = randomBytes(16).toString('hex');
  let clientNonce = '';
  let known = false;
  const send = sending(socket);

  const greet = ({ protocol, nonce: challenge }: Extract<ToOwner, { t: 'hello' }>): void => {
    clientNonce = challenge;
    const { secret, owner, folder } = host;
    const mac = macBy(secret, 'owner', challenge, nonce);
    const refused = !meet(protocol, host.protocol);
    const hello = { t: 'hello', nonce, mac, owner, folder, protocol: host.protocol } as const;
    send({ ...hello, epoch: host.epoch(), seq: host.seq(), ...(refused && { refused }) });
  };

  const answer = (request: Request): void =>
    host.run(request, (error, value) => {
      const { id } = request;
      // Not answered at all: the client loses this connection and asks the successor.
      if (error instanceof Superseded) return;
      if (error === undefined) return send({ t: 'answer', id, seq: host.seq(), value });
      const { code, message } = asLoomError(error);
      const unknown = error instanceof UnknownOperation;
      send({ t: 'error', id, seq: host.seq(), code, message, ...(unknown && { unknown }) });
    });

  const onFrame = (frame: ToOwner): void => {
    if (frame.t === 'hello') return greet(frame);
    if (frame.t === 'auth' || frame.t === 'yield') {
      if (clientNonce === '' || !sameMac(macBy(host.secret, 'client', nonce, clientNonce), frame.mac))
        return void socket.destroy();
      const heir = known ? { heir: clientNonce } : {};
      known = true;
      clearTimeout(greeting);
      if (frame.t === 'yield') host.yieldTo({ wants: frame.wants, ...heir });
      return;
    }
    if (!known) return void socket.destroy();
    answer(frame);
  };

  const greeting = setTimeout(() => socket.destroy(), greetingMs);
  greeting.unref();
  socket.on('close', () => clearTimeout(greeting));
  readFrames(
    socket,
    () => (known ? longestFrame : longestGreeting),
    (frame) => onFrame(frame as ToOwner),
  );
  return {
    tell: () => {
      if (known) send({ t: 'changed', seq: host.seq() });
    },
  };
};
