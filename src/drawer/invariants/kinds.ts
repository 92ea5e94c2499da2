/**
 * Facts that must never be lost. Ports, versions, dates and plain numbers are kinds of their own: `:8080`, `v1.2.3`,
 * `2026-11-29`, `12 ms`. In the order in which an anchor lists them.
 */
export const invariantKinds = ['constraint', 'url', 'path', 'version', 'hash', 'port', 'date', 'id', 'number'] as const;
export type InvariantKind = (typeof invariantKinds)[number];

/** Told of each invariant: its kind, and where it stands in what was scanned. */
export type Emit = (kind: InvariantKind, from: number, to: number) => void;
