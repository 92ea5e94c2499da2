// What the drawer answers to its parts of the views.
import { z } from 'zod';
import { defineAsks, stretch, text } from '#base/view.ts';
import type { DrawerAsks } from './asks.ts';
import { kinds } from './contents.ts';

/** Passages of one search, and UTF-16 units of their text together. */
const passages = 100;
const units = 120_000;

const one = z.strictObject({ id: text });
const filter = { session: text.optional(), kind: z.enum(kinds).optional(), title: text.optional() };

export const view = defineAsks<DrawerAsks, 'drawer'>({
  needs: ['drawer'],
  asks: {
    documents: {
      args: z.strictObject({ ...filter, ...stretch }),
      answer: (args, { drawer }) => drawer.documentPage(args),
    },
    latest: { args: z.strictObject({ limit: stretch.limit }), answer: (args, { drawer }) => drawer.documents(args) },
    chunks: { args: one.extend(stretch), answer: (args, { drawer }) => drawer.chunkPage(args) },
    detail: { args: one, answer: (args, { drawer }) => drawer.documentDetail(args) },
    inspect: { args: one, answer: (args, { drawer }, control) => drawer.inspect(args, control) },
    search: {
      args: z.strictObject({ query: text, session: text.optional() }),
      answer: async ({ query, session }, { drawer }, control) => {
        const args = { query, limit: passages, units };
        const found = await (session === undefined
          ? drawer.searchAll(args, control)
          : drawer.search({ ...args, session }, control));
        const { passages: shown, more, matched, searched } = found;
        return { passages: shown, more, all: matched !== 'any', documents: searched.documents };
      },
    },
  },
});
