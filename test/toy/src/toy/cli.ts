// The toy's verb of `loom`.
import { defineVerb } from '#base/verb.ts';

export const turn = defineVerb({
  name: 'turn',
  summary: 'turn a word around',
  words: { usage: 'WORD', least: 1, most: 1 },
  needs: ['toy'],
  run: async ({ toy, words: [word = ''], print }) => {
    print(await toy.turned({ word }));
    return 0;
  },
});
