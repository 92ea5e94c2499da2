// What the toy's tab asks. Types only.
export type ToyAsks = { words: { args: { session: string }; answer: string[] } };
