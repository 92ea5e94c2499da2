/**
 * What can still be read where nobody can own the drawer: it is damaged, or its disk takes no more writes. INVARIANT: a
 * view writes nothing, ever; it says what is wrong with every write that it refuses.
 */
import { LoomError } from '#base/errors.ts';
import type { Operations } from '#base/operation.ts';
import { isUnwritable } from '#storage/file/disk.ts';
import type { Image } from '#storage/image.ts';
import { fingerprint } from '#storage/file/layout.ts';
import { recover, sealedHeaders, type RecoveryOptions } from '#storage/file/recovery.ts';

/** Why a member may have to be content with a view; undefined where `error` is no such reason. */
export const viewReason = (error: unknown): LoomError | undefined => {
  if (error instanceof LoomError)
    return ['DRAWER_CORRUPT', 'DRAWER_UNWRITABLE'].includes(error.code) ? error : undefined;
  if (!isUnwritable(error)) return undefined;
  return new LoomError('DRAWER_UNWRITABLE', `The drawer cannot be written: ${(error as Error).message}.`, {
    cause: error,
  });
};

export class View {
  readonly #operations: Operations;
  readonly #image: Image;
  readonly #folder: string;
  readonly #seen: string;
  /** Why nobody owns the drawer. */
  readonly reason: LoomError;
  /** What is left out; empty where everything is there. */
  readonly missing: readonly LoomError[];
  readonly warnings: readonly string[];

  private constructor(
    operations: Operations,
    folder: string,
    reason: LoomError,
    from: { image: Image; seen: string; missing: LoomError[]; warnings: string[] },
  ) {
    this.#operations = operations;
    this.#folder = folder;
    this.#image = from.image;
    this.#seen = from.seen;
    this.reason = reason;
    this.missing = from.missing;
    this.warnings = from.warnings;
  }

  static async open(
    options: Omit<RecoveryOptions, 'mode' | 'damage'>,
    operations: Operations,
    reason: LoomError,
  ): Promise<View> {
    const { folder, keys } = options;
    const seen = fingerprint(folder);
    const missing: LoomError[] = [];
    await keys.open(sealedHeaders(folder));
    const { image, warnings } = await recover({ ...options, mode: 'view', damage: (error) => missing.push(error) });
    return new View(operations, folder, reason, { image, seen, missing, warnings });
  }

  /** The files are still those that it was read from. */
  get current(): boolean {
    return fingerprint(this.#folder) === this.#seen;
  }
  get imageBytes(): number {
    return this.#image.usedBytes;
  }

  read(name: string, args: unknown): unknown {
    const operation = this.#operations[name];
    if (operation?.kind === 'read') return operation.run(this.#image.tx(), args as never);
    const words = `${this.reason.message} Reading goes on with what is readable; run \`loom doctor\` to see what is wrong and how to go on.`;
    throw new LoomError(this.reason.code, words, { cause: this.reason });
  }

  export(): Uint8Array {
    return this.#image.export();
  }
  close(): void {
    this.#image.close();
  }
}
