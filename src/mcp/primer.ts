import { counted, megabytes } from '#base/text.ts';
import type { CallControl } from '#base/rpc.ts';
import type { ToolContext } from './defineTool.ts';
import { documentLine } from '#drawer/tools/sessionText.ts';

export type PrimerContext = Pick<ToolContext, 'engine' | 'kernel' | 'caller' | 'named' | 'offers'>;

const latest = 8;

/** What to call for what; a line is left out where this listing cannot call its tool. */
const ways = [
  ['ctx_store_file', 'a file that is large or of unknown size: ctx_store_file {"path":"…"}'],
  ['ctx_search', 'find lines in what is stored: ctx_search {"query":"…"}'],
  ['ctx_get', 'exact lines: ctx_get {"id":"d7","lines":"120-180"}'],
  ['run_python', 'compute, with names that stay: run_python {"code":"…"}'],
  ['loom_search', 'documents and Python outputs at once: loom_search {"query":"…"}'],
  ['loom_op', 'any other tool: loom_op {"op":"help","query":"what you need"}'],
] as const;

const drawerLines = async ({ engine, caller: { session } }: PrimerContext): Promise<string[]> => {
  const [sessions, documents] = await Promise.all([engine.sessions({}), engine.documents({ session, limit: latest })]);
  const own = sessions.find(({ id }) => id === session);
  if (own === undefined || own.documents === 0) return ['Drawer of this session: empty.'];
  const head = `Drawer of this session: ${counted(own.documents, 'document')}, ${megabytes(own.bytes)}. The latest:`;
  return [head, ...documents.map(documentLine)];
};

const pythonLine = async ({ kernel, caller: { session } }: PrimerContext, control?: CallControl): Promise<string> => {
  const { kernel: running, current, recent } = await kernel.state({ session }, control);
  if (current) return `Python: In [${current.execution}] is running.`;
  if (running)
    return `Python: idle, its names are there${recent ? `; the latest cell is In [${recent.execution}]` : ''}.`;
  return 'Python: not started; outputs of earlier cells stay readable by their number.';
};

/** What a session begins with: what Loom is, what it holds here, and what to call next. */
export const primerText = async (context: PrimerContext, control?: CallControl): Promise<string> => {
  const { named, offers } = context;
  const [drawer, python] = await Promise.all([drawerLines(context), pythonLine(context, control)]);
  const offered = ways.filter(([tool]) => offers(tool)).map(([, words]) => `- ${named(words)}`);
  return [
    'Loom keeps bulk out of the conversation: files, logs and outputs go into a local drawer, and you get an outline and ids by which any byte comes back exactly. Python remembers between calls, and every cell stays readable by its number.',
    drawer.join('\n'),
    python,
    ['Next:', ...offered].join('\n'),
  ].join('\n\n');
};
