// The rooms: a line each, and nothing else. What a room is made of stands in its parts.ts.
export { archive } from '#archive/parts.ts';
export { drawer } from '#drawer/parts.ts';
export { kernel } from '#kernel/parts.ts';
export { ledger } from '#ledger/parts.ts';
export { storage } from '#storage/parts.ts';
