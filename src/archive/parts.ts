// The archive as a room: its declaration and its parts.
import { defineRoom } from '#mcp/defineRoom.ts';
import { archiveHost } from './host.ts';
import { archiveInstruction } from './instruction.ts';
import { archiveSettings } from './room.ts';
import { archiveRoute } from './routes.ts';

export const archive = defineRoom({
  name: 'archive',
  needs: ['drawer'],
  settings: archiveSettings,
  host: archiveHost,
  programs: { hook: 'hook.ts' },
  uses: ['archive', 'settings'],
  routes: ({ archive: service }) => [archiveRoute(service)],
  instruction: ({ settings }) => (settings(archiveSettings)['archive.enabled'] ? archiveInstruction : undefined),
});
