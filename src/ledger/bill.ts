import { countTokens, type TokenCount } from './tokens.ts';

/** How much of one file a client's own tool would have put into the prompt. */
type ReadCap = { lines: number; lineUnits: number; units: number };

// Copilot's read_file answers 2,000 lines at the most, each cut at 2,000 UTF-16 units (MAX_LINES_PER_READ and
// MAX_LINE_LENGTH in microsoft/vscode, extensions/copilot/src/extension/tools/node/readFileTool.tsx), and the prompt that
// it is rendered into took about 72,000 units of it (seen in VS Code 1.139). It could be called again for more; that it
// would be is not known, so one answer is what counts.
const copilot: ReadCap = { lines: 2_000, lineUnits: 2_000, units: 72_000 };

/** VS Code and its builds, as they name themselves to an MCP server. */
const isVsCode = (client: string): boolean => /^(visual studio code|vs ?code|code-server|vscodium)/i.test(client);

export type StoredContent = {
  /** Undefined where it is binary: no client puts that into a prompt. */
  text: string | undefined;
  source: { kind: 'text' | 'file' | 'command' | 'editor' | 'archive' };
  /** Tokens of the whole. */
  tokens: TokenCount;
  client: string;
};

export type MovedBill = {
  /** Kept out of the prompt, as far as this client would have put it there. */
  tokens: number;
  /** Beyond that: shown, never counted as kept out. */
  excess: number;
  /** A part was extrapolated, or what an unknown client reads was assumed to be what Copilot does. */
  estimated: boolean;
};

/**
 * What storing `content` keeps out of the prompt. Only what Loom itself read counts: text that stood in the call has
 * been through the prompt already, and nobody asked the model to read what a person stores.
 */
export function* billStored({ text, source, tokens, client }: StoredContent): Generator<void, MovedBill> {
  if (text === undefined || source.kind !== 'file') return { tokens: 0, excess: 0, estimated: false };
  const within = capped(text, copilot);
  const count = within.length === text.length ? tokens : yield* countTokens(within);
  const kept = Math.min(count.tokens, tokens.tokens);
  return {
    tokens: kept,
    excess: tokens.tokens - kept,
    estimated: tokens.estimated || count.estimated || !isVsCode(client),
  };
}

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
