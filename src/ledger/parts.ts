// The ledger as a room: its declaration and its parts.
import { defineRoom } from '#mcp/defineRoom.ts';
import { stats as statsVerb } from './cli.ts';
import { ledgerSettings } from './room.ts';
import { ledger as ledgerTool } from './tools/ledger.ts';
import { stats } from './tools/stats.ts';
import { view } from './view.ts';

export const ledger = defineRoom({
  name: 'ledger',
  settings: ledgerSettings,
  toolset: { description: 'Only the tools that say what Loom saved and cost.' },
  engine: () => import('./engine.ts'),
  tools: [ledgerTool, stats],
  verbs: [statsVerb],
  view,
});
