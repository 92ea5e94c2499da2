// The rooms in VS Code: a line each, and nothing else. What a room has there stands in its folder's parts.ts.
export { archive } from '#vscode/archive/parts.ts';
export { drawer } from '#vscode/drawer/parts.ts';
export { kernel } from '#vscode/kernel/parts.ts';
export { ledger } from '#vscode/ledger/parts.ts';
export { loom } from '#vscode/loom/parts.ts';
export { storage } from '#vscode/storage/parts.ts';
