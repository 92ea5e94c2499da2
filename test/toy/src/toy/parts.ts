// The toy as a room: its declaration and its parts.
import { defineRoom } from '#mcp/defineRoom.ts';
import { turn } from './cli.ts';
import { toyHost } from './host.ts';
import { toyErrors, toySettings } from './room.ts';
import { toyRoute } from './routes.ts';
import { add } from './tools/add.ts';
import { view } from './view.ts';

export const toy = defineRoom({
  name: 'toy',
  errors: toyErrors,
  settings: toySettings,
  toolset: { description: 'All tools of the toy.' },
  engine: () => import('./engine.ts'),
  host: toyHost,
  programs: { toyWorker: 'toy/worker.ts' },
  tools: [add],
  verbs: [turn],
  view,
  uses: ['toy'],
  routes: ({ toy: service }) => [toyRoute(service)],
});
