// What a session begins with.
import type { ToolContext } from './defineTool.ts';

const ownWays = [
  ['loom_search', 'documents and Python outputs at once: loom_search {"query":"…"}'],
  ['loom_op', 'any other tool: loom_op {"op":"help","query":"what you need"}'],
] as const;

/** What Loom is, what it holds in this session, and what to call for what; a line is left out where nothing can call it. */
export const primerText = async (
  context: Pick<ToolContext<'overviews' | 'listing'>, 'named' | 'overviews' | 'listing'>,
): Promise<string> => {
  const { named, overviews, listing } = context;
  const states = await Promise.all(overviews.map(({ state }) => state()));
  const ways = [...overviews.flatMap((room) => room.ways), ...ownWays];
  const offered = ways.filter(([tool]) => listing.offers(tool)).map(([, words]) => `- ${named(words)}`);
  return [
    'Loom keeps bulk out of the conversation: files, logs and outputs go into a local drawer, and you get an outline and ids by which any byte comes back exactly. Python remembers between calls, and every cell stays readable by its number.',
    ...states,
    ['Next:', ...offered].join('\n'),
  ].join('\n\n');
};
