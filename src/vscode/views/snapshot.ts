// What the views are sent: all they show beside what they ask for.
import type { Services } from '#base/room.ts';
import type { DrawerPolicy } from '#drawer/policy.ts';
import { gainLine } from '#ledger/report.ts';
import type { Span } from '#ledger/types.ts';
import type { Bills, DocumentRow, Panel, Sidebar, Status } from './protocol.ts';

const documentsShown = 8;

/** Where the views take what they show from. */
export type ViewSource = {
  services: Services;
  /** This window's session. */
  session: () => Promise<string>;
  whenFull: () => DrawerPolicy['whenFull'];
  trusted: () => boolean;
};

const statusOf = async ({ services, whenFull, trusted }: ViewSource): Promise<Status> => {
  const { imageBytes, maxBytes, nearlyFull, role, problem, missing } = await services.storage.health({});
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

const billsOf = async ({ ledger }: Services, session: string): Promise<Bills> => {
  const [ofSession, life] = await Promise.all([ledger.report({ session }), ledger.report({ life: true })]);
  return { session: ofSession, life, gainLine };
};

export const sidebarSnapshot = async (source: ViewSource, span: Span): Promise<Sidebar> => {
  const { services } = source;
  const session = await source.session();
  const now = Date.now();
  const [bills, ofSession, life, status, documents] = await Promise.all([
    billsOf(services, session),
    services.ledger.series({ session, span, now }),
    services.ledger.series({ life: true, span, now }),
    statusOf(source),
    services.drawer.documents({ limit: documentsShown }),
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
  const { services } = source;
  const session = await source.session();
  const [bills, status, sessions] = await Promise.all([
    billsOf(services, session),
    statusOf(source),
    services.drawer.sessions({}),
  ]);
  return { bills, status, session, sessions };
};
