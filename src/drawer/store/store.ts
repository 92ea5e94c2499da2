// Stores bytes: masks secrets, makes an anchor, verifies the stored pieces; only then is any of it visible.
import { LoomError } from '#base/errors.ts';
import type { Data } from '#base/operation.ts';
import { maskBytes } from '#base/maskBytes.ts';
import type { CallControl } from '#base/rpc.ts';
import type { Masked } from '#base/secrets.ts';
import { inSlices } from '#base/slices.ts';
import { counted } from '#base/text.ts';
import { budgets, type Count } from '#drawer/anchor/budgets.ts';
import { renderAnchor } from '#drawer/anchor/render.ts';
import { pieces } from '#drawer/documents/blocks.ts';
import type { StoredDocument } from '#drawer/documents/documents.ts';
import type { Inserted } from '#drawer/documents/insert.ts';
import { documentId } from '#drawer/ids.ts';
import type { Account, Kind, Source, StoreArgs, Stored } from '#drawer/types.ts';
import { PieceVerifier } from '#drawer/verify/pieceVerifier.ts';
import { hash } from '#files/decode.ts';
import { inlineText, prepare, type Prepared } from './prepare.ts';
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
type Told = Pick<Stored, 'duplicate' | 'redactions' | 'evicted' | 'coverage'>;

/** What is shown of a document that is stored already. */
const stored = async (deps: StoreDeps, bytes: Buffer, document: StoredDocument, told: Told): Promise<Stored> => {
  const inline = document.anchor.length === 0;
  const shown = inline
    ? inlineText(bytes)
    : {
        text: renderAnchor(document.id, document, Buffer.from(document.anchor).toString('utf8'), deps.counter),
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
  account: Account | undefined,
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
      return deps.call('drawer.insert', { document, staged, piece, entry });
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

const storeClean = async (
  deps: StoreDeps,
  args: Clean,
  redactions: readonly Masked[],
  control: CallControl,
): Promise<Stored> => {
  const { session, bytes, budget, keep = false } = args;
  const sha256 = await inSlices(hash(bytes), control.signal);
  const { same, ...usual } = await deps.call('drawer.find', { session, sha256 });
  const profile = args.profile ?? usual.profile;
  if (same && keep && !same.keep) await deps.call('drawer.keep', { document: same.id });
  const again: Told = { duplicate: true, redactions, evicted: [], coverage: undefined };
  if (same && same.budget === (budget ?? budgets[profile])) return stored(deps, bytes, same, again);
  const prepared = await makePrepared(deps, { ...args, profile }, sha256, same?.title, control);
  const { document, inline, coverage } = prepared;
  if (same) return stored(deps, bytes, { ...document, id: same.id }, { ...again, coverage });
  if (inline && !keep && !args.always) {
    const { anchorTokens } = document;
    const told: Told = { duplicate: false, redactions, evicted: [], coverage: 1 };
    return { ...describe(document), ...inline, ...told, id: undefined, inline: true, anchorTokens };
  }
  const evicted = await makeSpace(deps, bytes.length, deps.expire);
  const { id, duplicate } = await write(deps, bytes, prepared, args.account, control);
  if (!duplicate) deps.onStored();
  return stored(deps, bytes, { ...document, id }, { duplicate, redactions, evicted, coverage });
};

/** Stores bytes that stand in the drawer already: what had to be masked in them was masked on the way in. */
export const storeStored = async (deps: StoreDeps, args: Clean, control: CallControl): Promise<Stored> =>
  storeClean(deps, { ...args, always: true }, [], control);

/** Stores some bytes and answers with what stands in for them; or with themselves, where they are small. */
export const storeBytes = async (deps: StoreDeps, args: StoreArgs, control: CallControl): Promise<Stored> => {
  const given = Buffer.from(args.bytes.buffer, args.bytes.byteOffset, args.bytes.byteLength);
  checkSize(given.length, 'The content');
  await refuseTooLarge(deps, given.length, 'The content');
  const { bytes, masked } = deps.policy().redact
    ? await maskBytes(given, control.signal)
    : { bytes: given, masked: [] };
  return storeClean(deps, { ...args, bytes, redacted: masked.length }, masked, control);
};
