// Runs a command and stores what it writes.
import type { CallControl } from '#base/rpc.ts';
import type { RanCommand, StoreCommandArgs, StoreArgs, Stored, StoredCommand } from '#drawer/types.ts';

/** Runs a command somewhere; the drawer does not know how. */
export type Run = (args: StoreCommandArgs, signal: AbortSignal) => Promise<RanCommand>;

type Combined = { bytes: Buffer; stderrLines: [number, number][] };

const newline = Buffer.from('\n');

/**
 * Both streams in the order in which they arrived, and which lines are stderr's. Where one breaks off inside a line before
 * the other goes on, a line end is put in, so that no line is made of both.
 */
export const combine = (output: RanCommand['output']): Combined => {
  const parts: Buffer[] = [];
  const stderrLines: [number, number][] = [];
  let line = 1;
  let open = false;
  let before: string | undefined;
  for (const { stream, bytes } of output) {
    if (bytes.length === 0) continue;
    if (open && stream !== before) {
      parts.push(newline);
      line++;
      open = false;
    }
    const first = line;
    for (const byte of bytes) if (byte === 10) line++;
    open = bytes.at(-1) !== 10;
    const last = open ? line : line - 1;
    const range = stderrLines.at(-1);
    if (stream === 'stderr' && range && range[1] >= first - 1) range[1] = last;
    else if (stream === 'stderr') stderrLines.push([first, last]);
    parts.push(bytes);
    before = stream;
  }
  return { bytes: Buffer.concat(parts), stderrLines };
};

const only = (output: RanCommand['output'], stream: 'stdout' | 'stderr'): Buffer =>
  Buffer.concat(output.filter((piece) => piece.stream === stream).map(({ bytes }) => bytes));

/** Runs a command and stores what it wrote: all of it in order, and where both streams were used each apart. */
export const storeCommand = async (
  store: (args: StoreArgs) => Promise<Stored>,
  run: Run,
  args: StoreCommandArgs,
  { signal }: CallControl,
): Promise<StoredCommand> => {
  const { output, ...ended } = await run(args, signal);
  const { session, account, budget, profile, keep } = args;
  const title = args.title ?? args.command;
  const common = { session, account, budget, profile, keep, source: { kind: 'command' as const, path: title } };
  const { bytes, stderrLines } = combine(output);
  const both = await store({ ...common, title, bytes });
  const mixed = stderrLines.length > 0 && only(output, 'stdout').length > 0;
  if (!mixed || both.id === undefined) return { ...ended, both, stderrLines, stdout: undefined, stderr: undefined };
  // Nobody's prompt was spared by the same bytes twice: no account.
  const apart = async (stream: 'stdout' | 'stderr'): Promise<string | undefined> => {
    const part = { ...common, account: undefined, always: true as const, title: `${title} (${stream})` };
    return (await store({ ...part, bytes: only(output, stream) })).id;
  };
  return { ...ended, both, stderrLines, stdout: await apart('stdout'), stderr: await apart('stderr') };
};
