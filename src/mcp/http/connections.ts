// The connections of clients over HTTP: MCP's own word for one is session.
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Disposable } from '#base/disposable.ts';
import type { Log } from '#base/log.ts';

export type Connection = {
  id: string;
  transport: StreamableHTTPServerTransport;
  /** Of who began it: nobody else with other rights goes on with it. */
  readOnly: boolean;
  close: () => Promise<void>;
};

type Held = Connection & { usedAt: number; running: number };

const idleMs = 30 * 60_000;
const sweepMs = 60_000;
/** An abandoned session holds about 67 KB. */
const most = 256;

/**
 * The open MCP sessions of an HTTP host. One without a request under way is closed after half an hour, or sooner where
 * there are too many: the one that was idle longest goes first. A client whose session went begins a new one.
 */
export class Connections implements Disposable {
  readonly #held = new Map<string, Held>();
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;

  constructor(log: Log) {
    this.#log = log;
    this.#timer = setInterval(() => this.#sweep(Date.now() - idleMs, most), sweepMs);
    this.#timer.unref();
  }

  get size(): number {
    return this.#held.size;
  }

  get(id: string): Connection | undefined {
    return this.#held.get(id);
  }

  /** False where as many as may be are in use; idle ones make room. */
  hasRoom(): boolean {
    this.#sweep(Date.now() - idleMs, most - 1);
    return this.#held.size < most;
  }

  add(connection: Connection): void {
    this.#held.set(connection.id, { ...connection, usedAt: Date.now(), running: 0 });
  }

  /** Marks a session as in use until the request that uses it is over. */
  use(id: string): Disposable {
    const held = this.#held.get(id);
    if (held === undefined) return { dispose: () => undefined };
    held.running++;
    held.usedAt = Date.now();
    return {
      dispose: () => {
        held.running--;
        held.usedAt = Date.now();
      },
    };
  }

  forget(id: string): void {
    this.#held.delete(id);
  }

  dispose(): void {
    clearInterval(this.#timer);
    for (const held of this.#held.values()) this.#close(held);
  }

  #sweep(before: number, keep: number): void {
    const idle = [...this.#held.values()].filter(({ running }) => running === 0).sort((a, b) => a.usedAt - b.usedAt);
    for (const held of idle) if (held.usedAt < before || this.#held.size > keep) this.#close(held);
  }

  #close(held: Held): void {
    this.#held.delete(held.id);
    held.close().catch((error: unknown) => this.#log.warn(`a session did not close: ${String(error)}`));
  }
}
