/**
 * What can still be read where nobody can own the drawer: it is damaged, or its disk takes no more writes. INVARIANT: a
 * view writes nothing, ever; it says what is wrong with every write that it refuses.
 */
import { LoomError } from '#base/errors.ts';
import type { Operations } from '#base/operation.ts';
import { isUnwritable } from '#storage/file/disk.ts';
import type { Image } from '#storage/image.ts';
import { fingerprint } from '#storage/file/layout.ts';
import { sealedHeaders } from '#storage/file/recovery.ts';
import { salvage, type SalvageOptions } from '#storage/file/salvage.ts';

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
    from: { image: Image; seen: string; missing: readonly LoomError[]; warnings: readonly string[] },
  ) {
    this.#operations = operations;
    this.#folder = folder;
    this.#image = from.image;
    this.#seen = from.seen;
    this.reason = reason;
    this.missing = from.missing;
    this.warnings = from.warnings;
  }

  static async open(options: SalvageOptions, operations: Operations, reason: LoomError): Promise<View> {
    const { folder, keys } = options;
    const seen = fingerprint(folder);
    await keys.open(sealedHeaders(folder));
    const { image, warnings, doubt, missing } = await salvage(options);
    return new View(operations, folder, reason, {
      image,
      seen,
      missing,
      warnings: doubt === undefined ? warnings : [...warnings, doubt],
    });
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
    if (operation?.kind === 'read') return this.#run(() => operation.run(this.#image.tx(), args as never));
    const words = `${this.reason.message} Reading goes on with what is readable; run \`loom doctor\` to see what is wrong and how to go on.`;
    throw new LoomError(this.reason.code, words, { cause: this.reason });
  }

  /** Where tables are missing, SQLite's words say nothing to a person. */
  #run(work: () => unknown): unknown {
    try {
      return work();
    } catch (error) {
      if (error instanceof LoomError || this.missing.length === 0) throw error;
      const words = `This cannot be read. ${this.missing[0]?.message} Run \`loom doctor\` to see what is wrong and how to go on.`;
      throw new LoomError(this.reason.code, words, { cause: error });
    }
  }

  export(): Uint8Array {
    return this.#image.export();
  }
  close(): void {
    this.#image.close();
  }
}
