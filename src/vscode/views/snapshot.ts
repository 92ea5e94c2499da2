import type { DrawerPolicy } from '#drawer/policy.ts';
import { gainLine } from '#ledger/report.ts';
import type { EngineClient } from '#host/engine.ts';
import type { Bills, DocumentRow, Panel, Sidebar, Span, Status } from './protocol.ts';

const documentsShown = 8;

/** Where the views take what they show from. */
export type ViewSource = {
  engine: EngineClient;
  /** This window's session. */
  session: () => Promise<string>;
  whenFull: () => DrawerPolicy['whenFull'];
  trusted: () => boolean;
};

const statusOf = async ({ engine, whenFull, trusted }: ViewSource): Promise<Status> => {
  const { imageBytes, maxBytes, nearlyFull, role, problem, missing } = await engine.health({});
  return {
    usedBytes: imageBytes,
    maxBytes,
    nearlyFull,
    whenFull: whenFull(),
    role,
    problem,
    missing,
    trusted: trusted(),
  };
};

const billsOf = async (engine: EngineClient, session: string): Promise<Bills> => {
  const [ofSession, life] = await Promise.all([engine.report({ session }), engine.report({ life: true })]);
  return { session: ofSession, life, gainLine };
};

export const sidebarSnapshot = async (source: ViewSource, span: Span): Promise<Sidebar> => {
  const { engine } = source;
  const session = await source.session();
  const now = Date.now();
  const [bills, ofSession, life, status, documents] = await Promise.all([
    billsOf(engine, session),
    engine.series({ session, span, now }),
    engine.series({ life: true, span, now }),
    statusOf(source),
    engine.documents({ limit: documentsShown }),
  ]);
  return {
    bills,
    series: { span, session: ofSession, life },
    status,
    documents: documents.map(({ id, title, tokens, tokensEstimated, anchorTokens }): DocumentRow => ({
      id,
      title,
      tokens,
      tokensEstimated,
      anchorTokens,
    })),
  };
};

export const panelSnapshot = async (source: ViewSource): Promise<Panel> => {
  const { engine } = source;
  const session = await source.session();
  const [bills, status, sessions] = await Promise.all([
    billsOf(engine, session),
    statusOf(source),
    engine.sessions({}),
  ]);
  return { bills, status, session, sessions };
};
