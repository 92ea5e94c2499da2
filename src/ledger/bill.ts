// What a document would have cost in the prompt of a client that had read it with its own tool.
import { countTokens } from '#ledger/tokenizer/tokens.ts';
import type { ExecutionOutput, MovedBill, StoredContent, TokenCount } from './types.ts';

/** How much of one file a client's own tool would have put into the prompt. */
type ReadCap = { lines: number; lineUnits: number; units: number };

// Copilot's read_file. Where a model names no range it answers 2,000 lines; a line is cut at 2,000 UTF-16 units. Of all that
// the prompt takes what half of the model's window holds: 160,000 units of one answer were seen in a window of 128,000
// tokens, about 72,000 in a smaller one (VS Code 1.139). Loom does not know the window, so the lower figure counts; and it
// does not know whether the model would have read on, so one answer does.
const copilotReads: ReadCap = { lines: 2_000, lineUnits: 2_000, units: 72_000 };

// A longer text of a tool, the terminal's too, goes into a file, and the prompt holds a sentence with its path: 273 units
// and 95 to 99 tokens in either vocabulary (VS Code 1.139.1, by the length of the path). Whether the model would have read
// that file is not known.
const copilotSpills = { units: 8_192, leftTokens: 95 };

/** What of an output over that is counted to know its excess: some 50 ms of work. */
const excessEffort = 2 ** 19;

/** VS Code and its builds, as they name themselves to an MCP server. */
const isVsCode = (client: string): boolean => /^(visual studio code|vs ?code|code-server|vscodium)/i.test(client);

const nothing: MovedBill = { tokens: 0, excess: 0, estimated: false };

/**
 * What storing `content` keeps out of the prompt. Only what Loom itself read counts: text that stood in the call has
 * been through the prompt already, and nobody asked the model to read what a person stores.
 */
export function* billStored({ text, source, tokens, client, counter }: StoredContent): Generator<void, MovedBill> {
  if (text === undefined) return nothing;
  if (source.kind === 'command') return spilled(text.length, tokens, client);
  if (source.kind !== 'file') return nothing;
  const within = capped(text, copilotReads);
  const count = within.length === text.length ? tokens : yield* countTokens(within, counter);
  const kept = Math.min(count.tokens, tokens.tokens);
  return {
    tokens: kept,
    excess: tokens.tokens - kept,
    estimated: tokens.estimated || count.estimated || !isVsCode(client),
  };
}

/** What an execution keeps out of the prompt: its output as a terminal would have given it. Pictures are no text of it. */
export function* billOutput({ text, units, client, counter }: ExecutionOutput): Generator<void, MovedBill> {
  const short = units <= copilotSpills.units;
  const { tokens, estimated } = yield* countTokens(text, counter, short ? undefined : excessEffort);
  const all = text.length === 0 ? 0 : Math.round((tokens * units) / text.length);
  return spilled(units, { tokens: all, estimated: estimated || text.length < units }, client);
}

/** The bill of a tool's or a terminal's text of so many units and tokens. */
const spilled = (units: number, whole: TokenCount, client: string): MovedBill => {
  const kept = units > copilotSpills.units ? Math.min(copilotSpills.leftTokens, whole.tokens) : whole.tokens;
  return {
    tokens: kept,
    excess: whole.tokens - kept,
    estimated: whole.estimated || (whole.tokens > 0 && !isVsCode(client)),
  };
};

/** What of `text` a reader with this cap would be given. */
const capped = (text: string, { lines, lineUnits, units }: ReadCap): string => {
  let within = '';
  for (let start = 0, line = 0; start < text.length && line < lines && within.length < units; line++) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    within += text.slice(start, Math.min(end, start + lineUnits));
    if (newline >= 0) within += '\n';
    start = end + 1;
  }
  return within.slice(0, units);
};
