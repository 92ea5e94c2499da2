import { gainLine } from '#ledger/report.ts';
import type { EngineClient } from '#mcp/engine.ts';
import type { DocumentRow, Snapshot } from './protocol.ts';

const documentsShown = 8;

/** What the sidebar shows of `session` and of the whole drawer. */
export const sidebarSnapshot = async (engine: EngineClient, session: string): Promise<Snapshot> => {
  const [ofSession, life, documents, { imageBytes, maxBytes }] = await Promise.all([
    engine.report({ session }),
    engine.report({ life: true }),
    engine.documents({ limit: documentsShown }),
    engine.health({}),
  ]);
  return {
    session: ofSession,
    life,
    gainLine,
    drawer: { usedBytes: imageBytes, maxBytes },
    documents: documents.map(({ id, title, tokens, tokensEstimated, anchorTokens }): DocumentRow => ({
      id,
      title,
      tokens,
      tokensEstimated,
      anchorTokens,
    })),
  };
};
