// Everything that is known of some bytes before they are stored: chunks, kind, anchor, invariants.
import { isUtf8 } from 'node:buffer';
import { partLimit } from '#base/text.ts';
import { buildAnchor } from '#drawer/anchor/anchor.ts';
import { budgets, type Count } from '#drawer/anchor/budgets.ts';
import { findImportant } from '#drawer/anchor/importantLines.ts';
import { cutChunks, type Chunk } from '#drawer/documents/chunks.ts';
import type { NewDocument } from '#drawer/documents/documents.ts';
import { extractInvariants } from '#drawer/invariants/extract.ts';
import type { Tally } from '#drawer/invariants/table.ts';
import { kindOf } from '#drawer/outline/kind.ts';
import { outliners } from '#drawer/outline/outliners.ts';
import type { Profile, Source } from '#drawer/types.ts';
import { decode } from '#files/decode.ts';
import { indexLines } from '#text/lines.ts';

export type PrepareArgs = {
  session: string;
  bytes: Buffer;
  sha256: string;
  title: string | undefined;
  source: Source;
  budget: number | undefined;
  profile: Profile;
  redacted: number;
  keep: boolean;
  now: number;
  count: Count;
  counter: string;
};
export type Prepared = {
  document: NewDocument;
  body: string;
  chunks: Chunk[];
  text: string;
  /** The content as it is shown where it is not worth an anchor. */
  inline: InlineText | undefined;
  /** The invariants of the content, to verify the stored pieces by. */
  tally: Tally;
  /** Share of the different invariants that stand in what is shown. */
  coverage: number;
  /** How many different invariants there are. */
  different: number;
};
export type InlineText = { text: string; encoding: 'text' | 'base64' };

/** Below this an anchor has no space to say anything: content of less than twice as much is shown as it is. */
const leastBudget = 300;
/**
 * The same for what nobody has read yet. A further call repeats the whole conversation, in Copilot 15,000 tokens and more
 * (`npm run bench agent`), so what fits into one answer and is not much longer than an anchor is better read at once.
 */
const leastUnread = 2_000;
/** Content is moved only if it has so many times its anchor's tokens. */
const worthwhile = 1.3;

const titleUnits = 120;

/** What a document is called: as it was asked for, else after its file, else by how it begins; one line, not long. */
export const titleOf = (title: string | undefined, source: Source, text: string): string => {
  const path = source.kind === 'file' || source.kind === 'editor' ? source.path : undefined;
  const named = title?.trim() || path?.split(/[\\/]/).at(-1) || /\S[^\r\n]{0,59}/.exec(text.slice(0, 2000))?.[0];
  const clean = (named ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  // Through UTF-8, which leaves no lone surrogate for TEXT to mangle.
  return Buffer.from(clean.slice(0, titleUnits)).toString() || 'untitled';
};

/** The content as one text: base64 where it is no UTF-8. */
export const inlineText = (bytes: Buffer): InlineText =>
  isUtf8(bytes)
    ? { text: bytes.toString('utf8'), encoding: 'text' }
    : { text: bytes.toString('base64'), encoding: 'base64' };

/** Pure; the long part of a store. */
export function* prepare(args: PrepareArgs): Generator<void, Prepared> {
  const { bytes, source, count, counter } = args;
  const lines = yield* indexLines(bytes);
  const text = yield* decode(bytes);
  const counted = yield* count(text);
  const chunks = yield* cutChunks(lines);
  const title = titleOf(args.title, source, text);
  const kind = kindOf(source.kind === 'file' || source.kind === 'editor' ? source.path : title, lines);
  const wanted = args.budget ?? budgets[args.profile];
  // Never more than half the content's own.
  const budget = Math.min(wanted, Math.floor(counted.tokens / 2));
  const about = {
    title,
    kind,
    bytes: bytes.length,
    lines: lines.count,
    chunks: chunks.length,
    tokens: counted.tokens,
    tokensEstimated: counted.estimated,
    sha256: args.sha256,
    budget: wanted,
  };
  const outline = yield* outliners[kind](lines, title);
  yield;
  const important = kind === 'binary' ? [] : yield* findImportant(lines, kind);
  const { table, tally } = yield* extractInvariants(bytes);
  const anchor = yield* buildAnchor({ about, lines, outline, important, table, budget, count, counter });
  const inline = bytes.length > 3 * partLimit ? undefined : inlineText(bytes);
  const own = inline?.encoding === 'base64' ? (yield* count(inline.text)).tokens : counted.tokens;
  const unread = source.kind === 'file' || source.kind === 'command';
  const small = args.budget === undefined && own < (unread ? leastUnread : 2 * leastBudget);
  const shown =
    inline && inline.text.length <= partLimit && (small || own < worthwhile * anchor.tokens) ? inline : undefined;
  const document: NewDocument = {
    ...about,
    session: args.session,
    source,
    anchor: Buffer.from(shown ? '' : anchor.body),
    focus: anchor.focus,
    anchorTokens: shown ? own : anchor.tokens,
    keep: args.keep,
    redacted: args.redacted,
    storedAt: args.now,
  };
  const coverage = shown ? 1 : anchor.coverage;
  return { document, body: anchor.body, chunks, text, inline: shown, tally, coverage, different: table.size };
}
