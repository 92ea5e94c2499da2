// The storage as a room: its declaration and its parts. What it does in the engine stands under all others there.
import { defineRoom } from '#mcp/defineRoom.ts';
import * as verbs from './cli.ts';
import { storageErrors, storageSettings } from './room.ts';
import { health } from './tools/health.ts';

export const storage = defineRoom({
  name: 'storage',
  errors: storageErrors,
  settings: storageSettings,
  tools: [health],
  verbs: [verbs.health, verbs.exportTo, verbs.doctor, verbs.unlock, verbs.seal, verbs.unseal],
});
