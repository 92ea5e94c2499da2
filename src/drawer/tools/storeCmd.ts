// `ctx_store_cmd`: runs a command in a sandbox and stores what it puts out.
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { LoomError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import type { StoredCommand } from '#drawer/types.ts';
import { defineTool, type ToolContext } from '#mcp/defineTool.ts';
import { isInside } from '#files/roots.ts';
import { drawerErrors, drawerSettings } from '#drawer/room.ts';
import { storeInOwnOrThrow } from './ownSession.ts';
import { budget, keep, rareFields, title, unlisted } from './storeFields.ts';
import { idsOf, storedText } from './storedText.ts';

const defaultSeconds = 60;
/** Within the deadline of a call. */
const mostSeconds = 270;
const mostRanges = 12;

/** Where the command runs: inside the workspace, links resolved. */
const folderFor = async (cwd: string | undefined, workspace: string): Promise<{ root: string; folder: string }> => {
  const root = await realpath(workspace);
  const folder = await realpath(resolve(root, cwd ?? '.')).catch(() => undefined);
  if (folder !== undefined && isInside(root, folder)) return { root, folder };
  throw new LoomError('FILE_REFUSED', `cwd: ${cwd} is no folder inside the workspace (${root}). Nothing was run.`);
};

const why = {
  timeout: 'stopped at its timeout; what it wrote until then is here',
  output: 'stopped, because it wrote more than 50 MB; the first 50 MB are here',
  processes: 'stopped, because it had too many processes',
  cancelled: 'stopped, because the call was cancelled',
};

const endOf = ({ exitCode, signal, stopped, duration }: StoredCommand): string => {
  const how =
    stopped === undefined
      ? exitCode === undefined
        ? `ended by signal ${signal ?? 'unknown'}`
        : `exit code ${exitCode}`
      : why[stopped];
  return `${how}; ${(duration / 1_000).toFixed(1)} s`;
};

/** Which lines were stderr, and where each stream is found apart. */
const streamsOf = ({ both, stderrLines, stdout, stderr }: StoredCommand): string[] => {
  if (stderrLines.length === 0) return [];
  const all = stderrLines.length === 1 && stderrLines[0]?.[0] === 1 && stderrLines[0][1] === both.lines;
  if (all) return ['all of it is stderr'];
  const shown = stderrLines
    .slice(0, mostRanges)
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const left = stderrLines.length - shown.length;
  const more = left > 0 ? ` and ${counted(left, 'more range')}` : '';
  const apart = stdout === undefined ? '' : `; apart: stdout ${stdout}, stderr ${stderr}`;
  const one = stderrLines.length === 1 && stderrLines[0]?.[0] === stderrLines[0]?.[1];
  return [`stderr: ${one ? 'line' : 'lines'} ${shown.join(', ')}${more}${apart}`];
};

const render = (ran: StoredCommand, explain: boolean, named: ToolContext['named']): string => {
  const head = [endOf(ran), ...streamsOf(ran)].join('; ');
  return ran.both.bytes === 0 ? `${head}; no output` : `${head}\n${storedText(ran.both, named, explain)}`;
};

export const storeCmd = defineTool({
  name: 'ctx_store_cmd',
  title: 'Run a command and store its output',
  description:
    'Use to run a command whose output may be long (tests, builds, git log): the output is kept exactly, and you get exit code, ' +
    'outline, the lines that matter and an id. It runs in a sandbox: writes only in the workspace, no network, no input. Not ' +
    'for commands that need the network or a terminal.',
  toolsets: ['drawer'],
  effect: 'execute',
  needs: ['drawer', 'workspace', 'settings'],
  input: z.object({
    command: z.string().min(1).describe('For the shell.'),
    cwd: z.string().optional().describe('Folder inside the workspace; the workspace itself where left out.'),
    timeout_seconds: z.number().positive().max(mostSeconds).optional().describe(`Default ${defaultSeconds}.`),
    title,
    budget,
    keep,
    ...rareFields,
  }),
  unlisted,
  selects: ['cwd'],
  example: { command: 'npm test', timeout_seconds: 120 },
  run: async (
    { command, cwd, timeout_seconds: seconds = defaultSeconds, session, explain = false, ...rest },
    context,
  ) => {
    const { drawer, caller, workspace: place, settings, control, named } = context;
    storeInOwnOrThrow(caller, session);
    const {
      'storeCmd.enabled': enabled,
      'storeCmd.readable': readable,
      'storeCmd.environment': environment,
    } = settings(drawerSettings);
    const workspace = place.writable();
    if (!enabled || workspace === undefined) {
      const reason = enabled ? 'no folder is open' : 'running commands is switched off';
      throw new LoomError('COMMANDS_OFF', `Nothing was run: ${reason}. ${drawerErrors.COMMANDS_OFF.fix}`);
    }
    const { root, folder } = await folderFor(cwd, workspace);
    const ran = await drawer.storeCommand(
      {
        session: caller.session,
        account: caller,
        command,
        cwd: folder,
        workspace: root,
        readable: [...place.readable(), ...readable],
        environment,
        timeoutMs: seconds * 1_000,
        ...rest,
      },
      control,
    );
    return { parts: [render(ran, explain, named)], ids: idsOf([ran.both]) };
  },
});
