// The archive: large results of other tools, kept for the time after a compaction of the conversation.
import { z } from 'zod';
import type { SettingTable } from '#base/settings.ts';
import { defaultThreshold } from './archive.ts';

export const archiveSettings = {
  'archive.enabled': {
    schema: z.boolean(),
    default: false,
    editor: {
      scope: 'application',
      description:
        'Keeps large results of the agent’s terminal and of other MCP servers in the drawer too, so that they can be searched after a compaction of the conversation took them from the agent. VS Code starts a small process for each tool call that hands the result over; no call waits for it.',
    },
  },
  'archive.threshold': {
    schema: z.number().int().min(1_000),
    default: defaultThreshold,
    editor: {
      scope: 'application',
      description: 'The fewest characters of a result that `loom.archive.enabled` keeps.',
    },
  },
} as const satisfies SettingTable;
