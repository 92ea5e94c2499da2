// Verifies one document, a session, or all there is.
import type { CallControl } from '#base/rpc.ts';
import { counted } from '#base/text.ts';
import type { Verified } from '#drawer/contents.ts';
import { documentAsked } from '#drawer/documents/named.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import type { VerifiedAll, VerifyScope } from '#drawer/types.ts';
import { verifyDocument } from './verifyDocument.ts';

const mostFaulty = 50;
const mostDocuments = 1_000_000;

const documentsOf = async (call: DrawerCall, { doc: asked, session }: VerifyScope): Promise<string[]> => {
  const doc = await documentAsked(call, session, asked);
  if (doc !== undefined) return [doc];
  if (session !== undefined) await call('drawer.sessionOrThrow', session);
  return (await call('drawer.documents', { session, limit: mostDocuments })).map(({ id }) => id);
};

const sum = (all: readonly Verified[], of: (one: Verified) => number): number =>
  all.reduce((total, one) => total + of(one), 0);

/** One document after the other. */
export const verifyAll = async (
  call: DrawerCall,
  scope: VerifyScope,
  { signal, progress }: CallControl,
): Promise<VerifiedAll> => {
  const documents = await documentsOf(call, scope);
  const all: Verified[] = [];
  for (const [index, doc] of documents.entries()) {
    all.push(await verifyDocument(call, { doc, signal }));
    const faulty = all.filter(({ lossless }) => !lossless).length;
    const found = faulty === 0 ? 'no fault' : counted(faulty, 'faulty document');
    progress(
      (index + 1) / documents.length,
      `${counted(index + 1, 'document')} of ${documents.length} verified, ${found}`,
    );
  }
  return {
    documents: all.length,
    bytes: sum(all, ({ bytes }) => bytes),
    chunks: sum(all, ({ chunks }) => chunks),
    invariants: sum(all, ({ invariants }) => invariants),
    retrieved: sum(all, ({ retrieved }) => retrieved),
    indexed: {
      found: sum(all, ({ indexed }) => indexed.found),
      expected: sum(all, ({ indexed }) => indexed.expected),
      byWords: sum(all, ({ indexed }) => indexed.byWords),
    },
    faulty: all.filter(({ lossless }) => !lossless).slice(0, mostFaulty),
    only: all.length === 1 ? all[0] : undefined,
  };
};
