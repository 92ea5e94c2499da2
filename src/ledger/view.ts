// What the ledger answers to its tab.
import { z } from 'zod';
import { defineAsks, stretch, text } from '#base/view.ts';
import type { LedgerAsks } from './asks.ts';
import { entryKinds } from './types.ts';

export const view = defineAsks<LedgerAsks, 'ledger'>({
  needs: ['ledger'],
  asks: {
    entries: {
      args: z.strictObject({
        scope: z.union([z.strictObject({ session: text }), z.strictObject({ life: z.literal(true) })]),
        kind: z.enum(entryKinds).optional(),
        tool: text.optional(),
        ...stretch,
      }),
      answer: ({ scope, ...args }, { ledger }) => ledger.entries({ ...args, ...scope }),
    },
  },
});
