import { z } from 'zod';
import { LoomError } from '#base/errors.ts';
import { counted, partLimit } from '#base/text.ts';
import type { StoredFiles } from '#drawer/service.ts';
import { defineTool, type ToolContext } from '#mcp/defineTool.ts';
import { storeInOwnOrThrow } from './session.ts';
import { budget, keep, rareFields, unlisted, title } from './storeFields.ts';
import { idsOf, storedLine, storedText } from './storedText.ts';

/** So many anchors stand in one answer; of more files there is a line each. */
const mostAnchors = 3;

const render = ({ stored, refused }: StoredFiles, explain: boolean, named: ToolContext['named']): string[] => {
  const faults = refused.map(({ path, reason }) => `not stored: ${path}: ${named(reason)}`);
  const [only] = stored;
  if (stored.length === 1 && only !== undefined && faults.length === 0) return [storedText(only, named, explain)];
  const anchors = stored.map((one) => (one.inline ? `${one.title}:\n` : '') + storedText(one, named, explain));
  if (stored.length <= mostAnchors && anchors.join('').length < partLimit) return [...anchors, ...faults];
  const head = named(
    `${counted(stored.length, 'file')} stored; ctx_search finds lines in all of them, ctx_store_file with one path shows its outline.`,
  );
  return [[head, ...stored.map(storedLine), ...faults].join('\n')];
};

export const storeFile = defineTool({
  name: 'ctx_store_file',
  title: 'Store files in the drawer',
  description:
    'Use instead of reading whenever a file is large or its size is unknown: logs, JSON, CSV, test output, diffs, ' +
    'lockfiles, generated code. The file is read by the server, never through you; you get its outline, the lines that matter, and an ' +
    'id for ctx_search and ctx_get. Small files come back whole. Not for a file you are about to edit.',
  toolsets: ['core', 'drawer'],
  effect: 'keep',
  input: z
    .object({
      path: z.string().optional().describe('File, or glob such as logs/**/*.log.'),
      paths: z.array(z.string()).max(100).optional().describe('Several files or globs.'),
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
  example: { path: 'logs/build.log' },
  run: async (
    { path, paths = [], session, explain = false, ...rest },
    { engine, caller, readableFolders, control, named },
  ) => {
    storeInOwnOrThrow(caller, session);
    const wanted = path === undefined ? paths : [path, ...paths];
    if (readableFolders.length === 0)
      throw new LoomError(
        'FILE_REFUSED',
        'No folder is open, so no file may be read. Open a folder, or add one to loom.allowedDirs (LOOM_ALLOWED_DIRS).',
      );
    const files = await engine.storeFiles(
      { session: caller.session, account: caller, paths: wanted, roots: readableFolders, ...rest },
      control,
    );
    return { parts: render(files, explain, named), ids: idsOf(files.stored) };
  },
});
