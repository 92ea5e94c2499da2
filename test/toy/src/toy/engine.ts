// The toy in the engine: its table, its operations, its service.
import { LoomError } from '#base/errors.ts';
import { read, write } from '#base/operation.ts';
import type { EngineDeps, EnginePart } from '#base/room.ts';
import type { Tx } from '#base/tx.ts';
import { toySettings } from './room.ts';
import type { ToyService } from './types.ts';

type Added = { session: string; word: string; most: number };

const wordsOf = (tx: Tx, session: string): string[] =>
  tx.all<{ word: string }>('select word from toy_word where session = ?', [session]).map(({ word }) => word);

const add = (tx: Tx, { session, word, most }: Added): number => {
  const count = wordsOf(tx, session).length;
  if (count >= most) throw new LoomError('TOY_FULL', `The toy holds ${most} words.`);
  tx.run('insert into toy_word (session, word) values (?, ?)', [session, word]);
  return count + 1;
};

const operations = {
  'toy.add': write(add),
  'toy.words': read((tx, { session }: { session: string }) => wordsOf(tx, session)),
};

export const engine: EnginePart = {
  migrations: [
    { name: 'toy words', up: (tx) => void tx.run('create table toy_word (session text not null, word text not null)') },
  ],
  operations: () => operations,
  sessionsEnded: (tx, sessions) => {
    for (const session of sessions) tx.run('delete from toy_word where session = ?', [session]);
  },
  create: ({ call, settings }: EngineDeps<typeof operations>) => {
    const service: ToyService = {
      add: (args) => call('toy.add', { ...args, most: settings(toySettings)['toy.mostWords'] }),
      words: (args) => call('toy.words', args),
    };
    return { service };
  },
};
