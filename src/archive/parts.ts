// The archive as a room: its declaration and its parts.
import { defineRoom } from '#mcp/defineRoom.ts';
import { archiveHost } from './host.ts';
import { archiveNote } from './note.ts';
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
  note: ({ settings }) => (settings(archiveSettings)['archive.enabled'] ? archiveNote : undefined),
});
