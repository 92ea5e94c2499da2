// The kernel where a session begins, and where everything is searched.
import { counted, grouped } from '#base/text.ts';
import { defineOverview } from '#mcp/defineOverview.ts';

/** More lines of outputs do not stand beside the hits of other rooms. */
const mostLines = 10;

export const overview = defineOverview({
  title: 'Python',
  needs: ['kernel'],
  ways: [['run_python', 'compute, with names that stay: run_python {"code":"…"}']],
  state: async ({ kernel, caller: { session }, control }) => {
    const { kernel: running, current, recent } = await kernel.state({ session }, control);
    if (current) return `Python: In [${current.execution}] is running.`;
    if (running)
      return `Python: idle, its names are there${recent ? `; the latest cell is In [${recent.execution}]` : ''}.`;
    return 'Python: not started; outputs of earlier cells stay readable by their number.';
  },
  find: async ({ query, limit }, { kernel, caller: { session }, control, named }) => {
    const args = { session, query, limit: Math.min(limit, mostLines) };
    const { lines, more, searched } = await kernel.searchHistory(args, control);
    if (searched === undefined) return { text: 'Python: no cell has been run in this session.' };
    const scope = `In [${searched[0]}] to In [${searched[1]}]`;
    const [first] = lines;
    if (first === undefined) return { text: `Python: no line with all these words in ${scope}.` };
    const { execution } = first;
    const next = `${more > 0 ? `${grouped(more)} more` : 'in context'}: search_python_output ${JSON.stringify({ execution, query, query_mode: 'literal' })}`;
    const text = [
      `Python: ${counted(lines.length, 'line')} in ${scope}`,
      ...lines.map((hit) => `In [${hit.execution}] line ${hit.line}: ${hit.text}`),
      named(next),
    ].join('\n');
    return { text };
  },
});
