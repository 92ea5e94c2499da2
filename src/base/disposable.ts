/** Something that holds a resource until it is told to let go. */
export type Disposable = { dispose: () => void };
