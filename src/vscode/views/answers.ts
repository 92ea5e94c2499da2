import type { CallControl } from '#base/rpc.ts';
import type { Services } from '#base/room.ts';
import type { Ask, AskName, Asks } from './protocol.ts';

type Control = Pick<CallControl, 'signal'>;
type Answers = { [N in AskName]: (args: Asks[N]['args'], control: Control) => Promise<Asks[N]['answer']> };

/** Passages of one search, and UTF-16 units of their text together. */
const passages = 100;
const units = 120_000;

const answersOf = ({ drawer, kernel, ledger }: Services): Answers => ({
  documents: (args) => drawer.documentPage(args),
  chunks: (args) => drawer.chunkPage(args),
  detail: (args) => drawer.documentDetail(args),
  inspect: (args, control) => drawer.inspect(args, control),
  search: async ({ query, session }, control) => {
    const args = { query, limit: passages, units };
    const found = await (session === undefined
      ? drawer.searchAll(args, control)
      : drawer.search({ ...args, session }, control));
    const { passages: shown, more, matched, searched } = found;
    return { passages: shown, more, all: matched !== 'any', documents: searched.documents };
  },
  executions: (args) => kernel.executions(args),
  entries: ({ scope, ...args }) => ledger.entries({ ...args, ...scope }),
});

/** Answers what the panel asks. */
export const answerer = (services: Services): ((ask: Ask, control: Control) => Promise<Asks[AskName]['answer']>) => {
  const answers = answersOf(services);
  return ({ name, args }, control) => answers[name](args as never, control);
};
