import type { CallControl } from '#base/rpc.ts';
import type { EngineClient } from '#host/engine.ts';
import type { Ask, AskName, Asks } from './protocol.ts';

type Control = Pick<CallControl, 'signal'>;
type Answers = { [N in AskName]: (args: Asks[N]['args'], control: Control) => Promise<Asks[N]['answer']> };

/** Passages of one search, and UTF-16 units of their text together. */
const passages = 100;
const units = 120_000;

const answersOf = (engine: EngineClient): Answers => ({
  documents: (args) => engine.documentPage(args),
  chunks: (args) => engine.chunkPage(args),
  detail: (args) => engine.documentDetail(args),
  inspect: (args, control) => engine.inspect(args, control),
  search: async ({ query, session }, control) => {
    const args = { query, limit: passages, units };
    const found = await (session === undefined
      ? engine.searchAll(args, control)
      : engine.search({ ...args, session }, control));
    const { passages: shown, more, matched, searched } = found;
    return { passages: shown, more, all: matched !== 'any', documents: searched.documents };
  },
  executions: (args) => engine.executions(args),
  entries: ({ scope, ...args }) => engine.entries({ ...args, ...scope }),
});

/** Answers what the panel asks. */
export const answerer = (engine: EngineClient): ((ask: Ask, control: Control) => Promise<Asks[AskName]['answer']>) => {
  const answers = answersOf(engine);
  return ({ name, args }, control) => answers[name](args as never, control);
};
