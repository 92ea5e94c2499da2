/** A member's socket. It is bound before the link that names it is published, and holds who comes until there is a state. */
import { createServer, type Server, type Socket } from 'node:net';
import { freshAddress, socketFile, socketPath } from '#storage/machine/address.ts';
import { tryRemove } from '#storage/file/disk.ts';

export class Listener {
  readonly address: string;
  /** Undefined for a named pipe. */
  readonly file: string | undefined;
  readonly sockets = new Set<Socket>();
  readonly #server: Server;
  #accept: ((socket: Socket) => void) | undefined;

  private constructor(folder: string, address: string) {
    this.address = address;
    this.file = socketFile(folder, address);
    this.#server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      // What went wrong shows in `close`; without a listener the process would end.
      socket.on('error', () => undefined);
      this.#accept?.(socket);
    });
  }

  static bind(folder: string): Promise<Listener> {
    const listener = new Listener(folder, freshAddress(folder));
    return new Promise((resolve, reject) => {
      listener.#server.once('error', reject);
      listener.#server.listen({ path: socketPath(folder, listener.address), backlog: 511 }, () => {
        // A failed accept (no file descriptors left) concerns one client only.
        listener.#server.on('error', () => undefined);
        resolve(listener);
      });
    });
  }

  /** Hands over everybody who waits and who comes from now on. */
  accept(onSocket: (socket: Socket) => void): void {
    this.#accept = onSocket;
    for (const socket of this.sockets) onSocket(socket);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.sockets) socket.destroy();
    if (this.file !== undefined) tryRemove(this.file);
  }
}
