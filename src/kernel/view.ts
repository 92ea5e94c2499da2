// What the kernel answers to its tab.
import { z } from 'zod';
import { defineAsks, stretch, text } from '#base/view.ts';
import type { KernelAsks } from './asks.ts';

export const view = defineAsks<KernelAsks, 'kernel'>({
  needs: ['kernel'],
  asks: {
    executions: {
      args: z.strictObject({ session: text.optional(), ...stretch }),
      answer: (args, { kernel }) => kernel.executions(args),
    },
  },
});
