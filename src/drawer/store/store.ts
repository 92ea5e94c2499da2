// Stores bytes: masks secrets, makes an anchor, verifies the stored pieces; only then is any of it visible.
import { isDeepStrictEqual } from 'node:util';
import { LoomError } from '#base/errors.ts';
import type { Data } from '#base/operation.ts';
import { maskBytes } from '#base/maskBytes.ts';
import { maskText } from '#base/maskText.ts';
import type { CallControl } from '#base/rpc.ts';
import type { Masked } from '#base/secrets/mask.ts';
import { inSlices } from '#base/slices.ts';
import { counted } from '#base/text.ts';
import { budgets, type Count } from '#drawer/anchor/budgets.ts';
import { focusText } from '#drawer/anchor/focus.ts';
import { renderAnchor } from '#drawer/anchor/render.ts';
import { pieces } from '#drawer/documents/blocks.ts';
import type { StoredDocument } from '#drawer/documents/documents.ts';
import type { Inserted } from '#drawer/documents/insert.ts';
import type { Standing, StoredFile } from '#drawer/documents/paths.ts';
import { documentId } from '#drawer/ids.ts';
import type { Account, Kind, Source, StoreArgs, Stored } from '#drawer/types.ts';
import { PieceVerifier } from '#drawer/verify/pieceVerifier.ts';
import { hash } from '#files/decode.ts';
import { inlineText, prepare, titleOf, type Prepared } from './prepare.ts';
import { makeSpace, refuseTooLarge, type SpaceDeps } from './space.ts';
import { checkSize } from './size.ts';

/** What a bill may be made of. */
export type BilledDocument = {
  session: string;
  title: string;
  kind: Kind;
  source: Source;
  /** The whole content; what is no UTF-8 in it as U+FFFD. */
  text: string;
  bytes: number;
  tokens: number;
  tokensEstimated: boolean;
  sha256: string;
  account: Account | undefined;
};

/** What the ledger records of a stored document beside it: it travels as `entry` inside `drawer.insert`. */
export type Bill = (document: BilledDocument) => Generator<void, Data>;

export type StoreDeps = SpaceDeps & {
  count: Count;
  /** The tokenizer's name. */
  counter: string;
  bill?: Bill | undefined;
  /** Called when a document waits for the index. */
  onStored: () => void;
  /** Removes what has expired. */
  expire: () => Promise<unknown>;
};

/** Content as it is stored: what had to be masked is masked. */
type Clean = Omit<StoreArgs, 'bytes'> & {
  bytes: Buffer;
  redacted: number;
};
type Told = Pick<Stored, 'duplicate' | 'redactions' | 'evicted' | 'coverage' | 'alsoNamed'>;

/** The file that some bytes came from; undefined where they came from none. */
const fileOf = ({ source, title, file }: Omit<StoreArgs, 'bytes'>): StoredFile | undefined =>
  source.kind === 'file' || source.kind === 'editor'
    ? { path: source.path, title: titleOf(title, source, ''), size: file?.size, modified: file?.modified }
    : undefined;

/** The title of what is stored already, under the name that it was asked for by. */
const titleNow = (title: string, alsoNamed: readonly string[]): string =>
  alsoNamed.length === 0 ? title : `${title} (same bytes as ${alsoNamed.join(', ')}, stored before)`;

/** A document's anchor, turned to the line that was named. */
const anchorText = (
  { counter }: StoreDeps,
  bytes: Buffer,
  document: StoredDocument,
  focus: number | undefined,
): string => {
  const body = Buffer.from(document.anchor).toString('utf8');
  if (focus === undefined || document.kind === 'binary') return renderAnchor(document.id, document, body, counter);
  const about = { ...document, focus: Math.min(Math.max(1, focus), document.lines) };
  return renderAnchor(document.id, about, `${body}\n${focusText(bytes, focus, document.lines)}`, counter);
};

/** What is shown of a document that is stored already. */
const stored = async (
  deps: StoreDeps,
  { bytes, focus }: Pick<Clean, 'bytes' | 'focus'>,
  document: StoredDocument,
  told: Told,
): Promise<Stored> => {
  const inline = document.anchor.length === 0;
  const named = { ...document, title: titleNow(document.title, told.alsoNamed) };
  const shown = inline
    ? inlineText(bytes)
    : {
        text: anchorText(deps, bytes, named, focus),
        encoding: 'text' as const,
      };
  const anchorTokens = inline ? document.anchorTokens : (await inSlices(deps.count(shown.text))).tokens;
  const coverage = inline ? 1 : told.coverage;
  return { ...describe(document), ...shown, ...told, coverage, id: documentId(document.id), inline, anchorTokens };
};

const describe = (document: Prepared['document']) => ({
  title: document.title,
  kind: document.kind,
  bytes: document.bytes,
  lines: document.lines,
  chunks: document.chunks,
  sha256: document.sha256,
  tokens: document.tokens,
  tokensEstimated: document.tokensEstimated,
});

/** Nothing becomes visible, and so nothing is stored, that cannot be read back from its pieces without a loss. */
const expectWhole = (verifier: PieceVerifier, title: string): void => {
  const { faults } = verifier.end();
  if (faults.length === 0) return;
  throw new LoomError('UNPROVEN', `${title} was not stored: ${faults.join('; ')}. Nothing was kept.`);
};

/** Hands the content over in pieces. Only with the last one does any of it become visible. */
const write = async (
  deps: StoreDeps,
  bytes: Buffer,
  { document, chunks, text, tally }: Prepared,
  { account, file }: { account: Account | undefined; file: StoredFile | undefined },
  { signal, progress }: CallControl,
): Promise<Inserted> => {
  const makers = pieces(bytes, chunks);
  const { session, source } = document;
  const entry =
    deps.bill && (await inSlices(deps.bill({ ...describe(document), session, source, text, account }), signal));
  const verifier = new PieceVerifier({ ...describe(document), tally });
  let staged: number | undefined;
  for (const [index, make] of makers.entries()) {
    const piece = await inSlices(make(), signal);
    await inSlices(verifier.add(piece), signal);
    if (index === makers.length - 1) {
      expectWhole(verifier, document.title);
      return deps.call('drawer.insert', { document, staged, piece, entry, file });
    }
    staged = await deps.call('drawer.stage', { document, staged, piece });
    progress(0.5 + (0.5 * (index + 1)) / makers.length, `${counted(document.bytes, 'byte')} being stored`);
  }
  throw new LoomError('INTERNAL', 'A document has no piece to store.');
};

const makePrepared = async (
  deps: StoreDeps,
  { session, bytes, source, budget, profile = 'strict', keep = false, redacted, ...args }: Clean,
  sha256: string,
  title: string | undefined,
  { signal, progress }: CallControl,
): Promise<Prepared> => {
  progress(0, `${counted(bytes.length, 'byte')} being read`);
  const { count, counter } = deps;
  const about = { session, bytes, sha256, title: title ?? args.title, source, budget, profile, redacted, keep };
  return inSlices(prepare({ ...about, now: deps.now(), count, counter }), signal);
};

type Same = { same: StoredDocument; standing: Standing };

/** Remembers what a store of bytes that are there already says of their document. Answers with it, as it is called now. */
const noteSame = async (
  deps: StoreDeps,
  { same, standing }: Same,
  { session, keep = false }: Clean,
  file: StoredFile | undefined,
): Promise<{ named: StoredDocument; alsoNamed: string[] }> => {
  if (keep && !same.keep) await deps.call('drawer.keep', { document: same.id });
  const known = standing.files.some((each) => isDeepStrictEqual(each, file));
  if (file && !known) await deps.call('drawer.path', { document: same.id, session, file });
  const title = file?.title ?? same.title;
  return { named: { ...same, title }, alsoNamed: standing.names.filter((name) => name !== title) };
};

const storeClean = async (
  deps: StoreDeps,
  args: Clean,
  redactions: readonly Masked[],
  control: CallControl,
): Promise<Stored> => {
  const { session, bytes, budget, keep = false } = args;
  const sha256 = await inSlices(hash(bytes), control.signal);
  const file = fileOf(args);
  const { profile: usual, ...found } = await deps.call('drawer.find', { session, sha256 });
  const profile = args.profile ?? usual;
  const told: Told = { duplicate: false, redactions, evicted: [], coverage: undefined, alsoNamed: [] };
  const again = found.same && (await noteSame(deps, found, args, file));
  if (again && again.named.budget === (budget ?? budgets[profile]))
    return stored(deps, args, again.named, { ...told, duplicate: true, alsoNamed: again.alsoNamed });
  const prepared = await makePrepared(deps, { ...args, profile }, sha256, again?.named.title, control);
  const { document, inline, coverage } = prepared;
  if (again) {
    const named = { ...document, id: again.named.id };
    return stored(deps, args, named, { ...told, duplicate: true, coverage, alsoNamed: again.alsoNamed });
  }
  if (inline && !keep && !args.always) {
    const { anchorTokens } = document;
    return { ...describe(document), ...inline, ...told, coverage: 1, id: undefined, inline: true, anchorTokens };
  }
  const evicted = await makeSpace(deps, bytes.length, deps.expire);
  const { id, duplicate } = await write(deps, bytes, prepared, { account: args.account, file }, control);
  if (!duplicate) deps.onStored();
  return stored(deps, args, { ...document, id }, { ...told, duplicate, evicted, coverage });
};

/** Stores bytes that stand in the drawer already: what had to be masked in them was masked on the way in. */
export const storeStored = async (deps: StoreDeps, args: Clean, control: CallControl): Promise<Stored> =>
  storeClean(deps, { ...args, always: true }, [], control);

/** What is stored of `given`: the secrets in the content, in its title and in a command's line are masked. */
const withMasks = async (
  given: StoreArgs,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<{ clean: Clean; masked: Masked[] }> => {
  const { bytes: maskedBytes, masked } = await maskBytes(bytes, signal);
  const { source } = given;
  const clean = {
    ...given,
    bytes: maskedBytes,
    redacted: masked.length,
    title: given.title && maskText(given.title),
    source: source.kind === 'command' ? { ...source, path: maskText(source.path) } : source,
  };
  return { clean, masked };
};

/** Stores some bytes and answers with what stands in for them; or with themselves, where they are small. */
export const storeBytes = async (deps: StoreDeps, args: StoreArgs, control: CallControl): Promise<Stored> => {
  const bytes = Buffer.from(args.bytes.buffer, args.bytes.byteOffset, args.bytes.byteLength);
  checkSize(bytes.length, 'The content');
  await refuseTooLarge(deps, bytes.length, 'The content');
  if (!deps.policy().redact) return storeClean(deps, { ...args, bytes, redacted: 0 }, [], control);
  const { clean, masked } = await withMasks(args, bytes, control.signal);
  return storeClean(deps, clean, masked, control);
};
