import type { Ask, AskName, Asks, FromWebview, Span, TabId, ToWebview } from '#vscode/views/protocol.ts';
import type { Place } from '#webview/ui/virtualList.ts';

/** What survives the page, in VS Code's care: what a person chose, and where they were. */
export type Kept = {
  /** The sidebar's. */
  scope?: 'session' | 'life';
  span?: Span;
  /** The panel's. */
  tab?: TabId;
  filters?: Partial<Record<TabId, Record<string, string>>>;
  places?: Partial<Record<TabId, Place>>;
  /** Sections of a document's details that are open. */
  sections?: string[];
};

const vscode = acquireVsCodeApi<Kept>();

export const post = (message: FromWebview): void => vscode.postMessage(message);

export const kept = (): Kept => vscode.getState() ?? {};
export const keep = (more: Kept): void => void vscode.setState({ ...kept(), ...more });

type Waiting = { resolve: (answer: never) => void; reject: (error: Error) => void };
const waiting = new Map<number, Waiting>();
let last = 0;

/** Asks the extension. The answer to what was aborted never comes. */
export const ask = <N extends AskName>(
  name: N,
  args: Asks[N]['args'],
  signal?: AbortSignal,
): Promise<Asks[N]['answer']> =>
  new Promise((resolve, reject) => {
    const request = ++last;
    waiting.set(request, { resolve, reject });
    signal?.addEventListener('abort', () => {
      if (waiting.delete(request)) post({ kind: 'cancel', request });
    });
    post({ kind: 'ask', request, ask: { name, args } as Ask });
  });

type Answer = Extract<ToWebview, { request: number }>;

const settle = (message: Answer): void => {
  const one = waiting.get(message.request);
  waiting.delete(message.request);
  if (message.kind === 'answer') one?.resolve(message.answer as never);
  else one?.reject(new Error(message.message));
};

const kinds: readonly unknown[] = [
  'snapshot',
  'changes',
  'error',
  'show',
  'answer',
  'refusal',
] satisfies ToWebview['kind'][];
const isOurs = (data: unknown): data is ToWebview =>
  typeof data === 'object' && data !== null && kinds.includes((data as { kind?: unknown }).kind);

/** Hears what the extension says; answers go to who asked. Anything else that reaches the page is not looked at. */
export const listen = (hear: (message: Exclude<ToWebview, Answer>) => void): void =>
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isOurs(data)) return;
    if (data.kind === 'answer' || data.kind === 'refusal') settle(data);
    else hear(data);
  });
