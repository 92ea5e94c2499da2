/** Something that holds a resource until it is told to let go. */
export type Disposable = { dispose: () => void };

/** Holds disposables and lets them go together, last first; what is added after that is disposed at once. */
export class DisposableStore implements Disposable {
  readonly #held: Disposable[] = [];
  #disposed = false;

  add<D extends Disposable>(disposable: D): D {
    if (this.#disposed) disposable.dispose();
    else this.#held.push(disposable);
    return disposable;
  }

  dispose(): void {
    this.#disposed = true;
    for (const disposable of this.#held.splice(0).reverse()) disposable.dispose();
  }
}
