// What the toy's parts say to each other.
export type ToyService = {
  /** Writes a word down; answers how many the session has now. */
  add: (args: { session: string; word: string }) => Promise<number>;
  words: (args: { session: string }) => Promise<string[]>;
};

/** Its part around the engine: a worker of its own turns words around. */
export type ToyHost = ToyService & { turned: (args: { word: string }) => Promise<string> };
