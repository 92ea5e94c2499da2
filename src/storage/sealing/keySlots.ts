/**
 * Who can open a sealed drawer. A random data key seals the files; every sealed file's header holds it several times,
 * each wrapped under one person's or program's key: a slot. INVARIANTS
 * 1. A key that fits no slot changes nothing and opens nothing.
 * 2. Sealing anew makes a new data key and a new recovery key: who could open the old files cannot open the new ones.
 */
import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { LoomError } from '#base/errors.ts';
import { silentLog, type Log } from '#base/log.ts';
import type { Keys, Sealing } from '#storage/types.ts';
import { derive, sealWith } from './seal.ts';

type Slot =
  | { kind: 'secretStorage' | 'recovery'; salt: string; wrapped: string }
  | { kind: 'passphrase'; salt: string; wrapped: string; cost: number };

/** Stands in the header of every sealed file. */
export type Sealed = { keyId: string; slots: readonly Slot[] };

/** What a file says of its sealing; `sealed` is undefined where it lies open. */
export type SealedHeader = { id: string; sealed: Sealed | undefined };

/** A data key with the header that lets it be found again. */
export type DataKey = { sealed: Sealed; key: Buffer };

export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Letters and digits that nobody confuses when copying from paper. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const newRecoveryKey = (): string => {
  const letters = Array.from(randomBytes(32), (byte) => alphabet[byte % 32]).join('');
  return letters.match(/.{4}/g)!.join('-');
};
const readRecoveryKey = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');

const scryptCost = 2 ** 17;
const scrypted = promisify(scrypt as (p: string, s: Buffer, n: number, o: object, done: ScryptDone) => void);
type ScryptDone = (error: Error | null, key: Buffer) => void;
const fromPassphrase = (passphrase: string, salt: string, cost: number): Promise<Buffer> =>
  scrypted(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, {
    N: cost,
    r: 8,
    p: 1,
    maxmem: 256 * cost * 8,
  }) as Promise<unknown> as Promise<Buffer>;

const wrappingKey = async (
  slot: Omit<Slot, 'wrapped'> & { cost?: number },
  keys: Keys,
): Promise<Buffer | undefined> => {
  const { kind, salt } = slot;
  if (kind === 'passphrase')
    return keys.passphrase ? fromPassphrase(keys.passphrase, salt, slot.cost ?? scryptCost) : undefined;
  const strong = kind === 'recovery' ? keys.recoveryKey && readRecoveryKey(keys.recoveryKey) : keys.secret;
  return strong ? derive(Buffer.from(strong), salt, `loom ${kind}`) : undefined;
};

const place = (id: string, kind: Slot['kind']): Buffer => Buffer.from(`${id} ${kind}`);

const newSlot = async (id: string, kind: Slot['kind'], keys: Keys, dataKey: Buffer): Promise<Slot> => {
  const bare = { kind, salt: randomBytes(16).toString('base64'), ...(kind === 'passphrase' && { cost: scryptCost }) };
  const wrapping = (await wrappingKey(bare, keys))!;
  return { ...bare, wrapped: sealWith(wrapping).close(dataKey, place(id, kind)).toString('base64') } as Slot;
};

/** A data key that was just made, and the recovery key that is shown once. */
export type NewDataKey = DataKey & { recoveryKey: string | undefined };

/** A new data key for the drawer `id`. A recovery key that nobody would read is not made. */
export const newDataKey = async (
  id: string,
  sealing: Exclude<Sealing, { kind: 'off' }>,
  recoverable = true,
): Promise<NewDataKey> => {
  const given = sealing.kind === 'passphrase' ? sealing.passphrase : sealing.secret;
  if (given.length < 8)
    throw new LoomError('DRAWER_KEY', 'A passphrase needs at least 8 characters to seal the drawer with.');
  const key = randomBytes(32);
  const recoveryKey = recoverable ? newRecoveryKey() : undefined;
  const slots = [await newSlot(id, sealing.kind, sealing, key)];
  if (recoveryKey !== undefined)
    slots.push(await newSlot(id, 'recovery', { recoveryKey: readRecoveryKey(recoveryKey) }, key));
  return { key, recoveryKey, sealed: { keyId: randomBytes(8).toString('hex'), slots } };
};

const unwrap = async (id: string, { slots }: Sealed, keys: Keys): Promise<Buffer | undefined> => {
  for (const slot of slots) {
    const wrapping = await wrappingKey(slot, keys);
    if (wrapping === undefined) continue;
    try {
      return sealWith(wrapping).open(Buffer.from(slot.wrapped, 'base64'), place(id, slot.kind));
    } catch {
      // Not the key of this slot; another one may fit.
    }
  }
  return undefined;
};

const waysIn: Record<Slot['kind'], string> = {
  passphrase: 'a passphrase',
  secretStorage: "the key in VS Code's SecretStorage",
  recovery: 'the recovery key',
};

/** The data keys that are known, by id: unwrapping one takes half a second where a passphrase does it. */
export class KeyRing {
  readonly #keys: () => Keys | Promise<Keys>;
  readonly #log: Log;
  readonly #known = new Map<string, Buffer>();
  #admitted = false;
  constructor(keys: () => Keys | Promise<Keys>, log: Log = silentLog) {
    this.#keys = keys;
    this.#log = log;
  }

  /**
   * Throws `DRAWER_PLAIN` where the drawer of these headers, newest first, lies open and must not. A program that was let in
   * goes on where another one decrypts the drawer: a person wanted that, and what this one is at must not be lost.
   */
  async admit(headers: () => readonly SealedHeader[]): Promise<void> {
    const { onlySealed, passphrase } = await this.#keys();
    if (!onlySealed || !passphrase) return;
    const [newest] = headers();
    if (newest === undefined) return;
    if (newest.sealed) this.#admitted = true;
    else if (!this.#admitted) throw plain();
    else this.#log.warn('The drawer is no longer sealed, as LOOM_DB_PASSWORD asks: another program decrypted it.');
  }

  /** Makes `dataKey` of these headers answer; throws `DRAWER_KEY`. */
  async open(headers: readonly SealedHeader[]): Promise<void> {
    await this.admit(() => headers);
    for (const { id, sealed } of headers) {
      if (sealed === undefined || this.#known.has(sealed.keyId)) continue;
      const key = await unwrap(id, sealed, await this.#keys());
      if (key === undefined) throw wrongKey(sealed);
      this.#known.set(sealed.keyId, key);
    }
  }

  /** What the new drawer `id` is sealed with; undefined where it need not be. */
  async forNew(id: string): Promise<NewDataKey | undefined> {
    const { onlySealed, passphrase } = await this.#keys();
    if (!onlySealed || !passphrase) return undefined;
    const made = await newDataKey(id, { kind: 'passphrase', passphrase }, onlySealed.recoveryKey);
    this.add(made);
    this.#admitted = true;
    return made;
  }

  add({ sealed, key }: DataKey): void {
    this.#known.set(sealed.keyId, key);
  }

  dataKey(sealed: Sealed): Buffer {
    const key = this.#known.get(sealed.keyId);
    if (key === undefined) throw wrongKey(sealed);
    return key;
  }
}

const plain = (): LoomError =>
  new LoomError(
    'DRAWER_PLAIN',
    'The drawer is not sealed, and LOOM_DB_PASSWORD asks for one that is. `loom seal` seals it with that passphrase. Nothing was changed.',
  );

const wrongKey = (sealed: Sealed): LoomError => {
  const ways = sealed.slots.map(({ kind }) => waysIn[kind]).join(' or ');
  return new LoomError('DRAWER_KEY', `The drawer is sealed. It opens with ${ways}; what was given does not fit.`);
};

/** How a header says that its file is sealed. */
export const sealingKind = (sealed: Sealed | undefined): Sealing['kind'] => {
  const kind = sealed?.slots.find((slot) => slot.kind !== 'recovery')?.kind;
  return kind === 'passphrase' || kind === 'secretStorage' ? kind : 'off';
};
