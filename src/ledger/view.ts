// What the ledger answers to its parts of the views.
import { z } from 'zod';
import { defineAsks, stretch, text } from '#base/view.ts';
import type { LedgerAsks } from './asks.ts';
import { gainLine } from './report.ts';
import { entryKinds, spans } from './types.ts';

export const view = defineAsks<LedgerAsks, 'ledger'>({
  needs: ['ledger'],
  asks: {
    bills: {
      args: z.strictObject({ session: text }),
      answer: async ({ session }, { ledger }) => {
        const [own, life] = await Promise.all([ledger.report({ session }), ledger.report({ life: true })]);
        return { session: own, life, gainLine };
      },
    },
    series: {
      args: z.strictObject({ session: text, span: z.enum(spans) }),
      answer: async ({ session, span }, { ledger }) => {
        const at = { span, now: Date.now() };
        const [own, life] = await Promise.all([
          ledger.series({ session, ...at }),
          ledger.series({ life: true, ...at }),
        ]);
        return { session: own, life };
      },
    },
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
