// What the toy answers to its tab.
import { z } from 'zod';
import { defineAsks, text } from '#base/view.ts';
import type { ToyAsks } from './asks.ts';

export const view = defineAsks<ToyAsks, 'toy'>({
  needs: ['toy'],
  asks: { words: { args: z.strictObject({ session: text }), answer: (args, { toy }) => toy.words(args) } },
});
