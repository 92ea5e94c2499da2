// The connections of clients over HTTP: MCP's own word for one is session.
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Disposable } from '#base/disposable.ts';
import type { Log } from '#base/log.ts';
import type { Rights } from './route.ts';

export type Connection = {
  id: string;
  transport: StreamableHTTPServerTransport;
  /** Of who began it. */
  rights: Rights;
  close: () => Promise<void>;
};

type Held = Connection & { usedAt: number; running: number };

const idleMs = 30 * 60_000;
const sweepMs = 60_000;
/** An abandoned session holds about 67 KB. */
const mostProven = 256;
/** Of those without a token, who never take the place of one with it. */
const mostUnproven = 32;

const mostOf = (rights: Rights): number => (rights === 'discovery' ? mostUnproven : mostProven);
/** Those that share a limit. */
const alike = (a: Rights, b: Rights): boolean => (a === 'discovery') === (b === 'discovery');

/**
 * The open MCP sessions of an HTTP host. One without a request under way is closed after half an hour, or sooner where
 * there are too many of its kind, with or without a token: the one that was idle longest goes first. A client whose session went begins a new one.
 */
export class Connections implements Disposable {
  readonly #held = new Map<string, Held>();
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;

  constructor(log: Log) {
    this.#log = log;
    this.#timer = setInterval(() => this.#sweepAll(), sweepMs);
    this.#timer.unref();
  }

  get size(): number {
    return this.#held.size;
  }

  get(id: string): Connection | undefined {
    return this.#held.get(id);
  }

  /** False where as many as may be are in use; idle ones make room. */
  hasRoom(rights: Rights): boolean {
    this.#sweep(rights, mostOf(rights) - 1);
    return this.#of(rights).length < mostOf(rights);
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

  #of(rights: Rights): Held[] {
    return [...this.#held.values()].filter((held) => alike(held.rights, rights));
  }

  #sweepAll(): void {
    for (const rights of ['all', 'discovery'] as const) this.#sweep(rights, mostOf(rights));
  }

  /** Closes what was idle for too long, and more of it until `keep` are left. */
  #sweep(rights: Rights, keep: number): void {
    const all = this.#of(rights);
    const idle = all.filter(({ running }) => running === 0).sort((a, b) => a.usedAt - b.usedAt);
    const before = Date.now() - idleMs;
    for (const [n, held] of idle.entries()) if (held.usedAt < before || all.length - n > keep) this.#close(held);
  }

  #close(held: Held): void {
    this.#held.delete(held.id);
    held.close().catch((error: unknown) => this.#log.warn(`a session did not close: ${String(error)}`));
  }
}
