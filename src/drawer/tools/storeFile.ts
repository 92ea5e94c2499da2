// `ctx_store_file`: files, by path.
import { z } from 'zod';
import { LoomError } from '#base/errors.ts';
import { counted, partLimit } from '#base/text.ts';
import type { Found, StoredFiles } from '#drawer/types.ts';
import { defineTool, type ToolContext } from '#mcp/defineTool.ts';
import { foundText, passageUnits } from './search.ts';
import { storeInOwnOrThrow } from './ownSession.ts';
import { budget, keep, rareFields, unlisted, title } from './storeFields.ts';
import { idsOf, storedLine, storedText } from './storedText.ts';

/** So many anchors stand in one answer; of more files there is a line each. */
const mostAnchors = 3;

const render = ({ stored, refused }: StoredFiles, explain: boolean, named: ToolContext['named']): string[] => {
  const faults = refused.map(({ path, reason }) => `not stored: ${path}: ${named(reason)}`);
  const [only] = stored;
  if (stored.length === 1 && only !== undefined && faults.length === 0) return [storedText(only, named, explain)];
  const anchors = stored.map((one, n) => {
    const before = stored.findIndex(({ id }) => id !== undefined && id === one.id);
    if (before < n && before >= 0) return storedLine(one);
    return (one.inline ? `${one.title}:\n` : '') + storedText(one, named, explain);
  });
  if (stored.length <= mostAnchors && anchors.join('').length < partLimit) return [...anchors, ...faults];
  const documents = new Set(stored.map(({ id }) => id).filter((id) => id !== undefined)).size;
  const small = stored.filter(({ id }) => id === undefined).length;
  const rest = small === 0 ? '' : `, ${small} too small to be (with one path they come whole)`;
  const head = named(
    `${counted(documents, 'file')} stored${rest}; ctx_search finds lines in what is stored, ctx_store_file with one path shows its outline.`,
  );
  return [[head, ...stored.map(storedLine), ...faults].join('\n')];
};

/** Fewer than ctx_search gives: an anchor stands above them. */
const mostPassages = 3;

/** The best matches in what was stored; undefined where all of it came whole. */
const searchIn = async (
  { stored }: StoredFiles,
  query: string,
  { drawer, caller, control }: ToolContext<'drawer'>,
): Promise<Found | undefined> => {
  const moved = stored.filter(({ inline }) => !inline);
  const doc = moved.length === 1 ? moved[0]?.id : undefined;
  if (moved.length === 0) return undefined;
  return drawer.search({ session: caller.session, query, doc, limit: mostPassages, units: passageUnits }, control);
};

/** Adds `text` to the last part while it has room. */
const below = (parts: readonly string[], text: string): string[] => {
  const last = parts.at(-1) ?? '';
  return last.length + 1 + text.length <= partLimit ? [...parts.slice(0, -1), `${last}\n${text}`] : [...parts, text];
};

export const storeFile = defineTool({
  name: 'ctx_store_file',
  title: 'Store files in the drawer',
  description:
    'Use instead of reading whenever a file is large or its size is unknown: logs, JSON, CSV, test output, diffs, ' +
    'lockfiles, generated code. The file is read by the server, never through you; you get its outline, the lines that matter, those ' +
    'that match query, and an id for ctx_search and ctx_get. Small files come back whole. Not for a file you are about to edit.',
  toolsets: ['core', 'drawer'],
  effect: 'keep',
  needs: ['drawer', 'workspace'],
  input: z
    .object({
      path: z.string().optional().describe('File, or glob such as logs/**/*.log.'),
      paths: z.array(z.string()).max(100).optional().describe('Several files or globs.'),
      query: z.string().optional().describe('Words to find: the best matches come at once.'),
      title,
      budget,
      keep,
      ...rareFields,
    })
    .refine(({ path, paths }) => path !== undefined || (paths?.length ?? 0) > 0, {
      message: 'path or paths is required',
      path: ['path'],
    }),
  // Its path is its title.
  unlisted: [...unlisted, 'title'],
  example: { path: 'logs/build.log', query: 'connection refused' },
  run: async ({ path, paths = [], query, session, explain = false, ...rest }, context) => {
    const { drawer, caller, workspace, control, named } = context;
    const roots = workspace.readable();
    storeInOwnOrThrow(caller, session);
    const wanted = path === undefined ? paths : [path, ...paths];
    if (roots.length === 0)
      throw new LoomError(
        'FILE_REFUSED',
        'No folder is open, so no file may be read. Open a folder, or add one to loom.allowedDirs (LOOM_ALLOWED_DIRS).',
      );
    const files = await drawer.storeFiles(
      { session: caller.session, account: caller, paths: wanted, roots, ...rest },
      control,
    );
    const parts = render(files, explain, named);
    const ids = idsOf(files.stored);
    const found = query === undefined ? undefined : await searchIn(files, query, context);
    if (query === undefined || found === undefined) return { parts, ids };
    const returned = found.passages.map(({ text }) => text).join('');
    return { parts: below(parts, foundText({ query, regex: false, explain: false }, found, named)), ids, returned };
  },
});
