// The archive as a room: its declaration and its parts.
import { defineRoom } from '#mcp/defineRoom.ts';
import { archiveHost } from './host.ts';
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
  // Copilot mostly compacts a conversation without a word to any hook.
  note: ({ settings }) =>
    settings(archiveSettings)['archive.enabled']
      ? 'Large terminal and MCP results are kept too: after a compaction, ctx_search finds them.'
      : undefined,
});
