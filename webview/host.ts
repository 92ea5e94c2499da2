import type { Span } from '#ledger/types.ts';
import type { FromWebview, ToWebview } from '#vscode/views/protocol.ts';
import type { Place } from '#webview/ui/virtualList.ts';

/** What survives the page, in VS Code's care: what a person chose, and where they were. */
export type Kept = {
  /** The sidebar's. */
  scope?: 'session' | 'life';
  span?: Span;
  /** The panel's. */
  tab?: string;
  /** Of each tab. */
  filters?: Readonly<Record<string, Record<string, string>>>;
  places?: Readonly<Record<string, Place>>;
  /** Sections of a document's details that are open. */
  sections?: string[];
};

const vscode = acquireVsCodeApi<Kept>();

export const post = (message: FromWebview): void => vscode.postMessage(message);

/** Runs a command of VS Code that its room lets views run. */
export const run = (command: string, ...args: readonly unknown[]): void => post({ kind: 'runCommand', command, args });

export const kept = (): Kept => vscode.getState() ?? {};
export const keep = (more: Kept): void => void vscode.setState({ ...kept(), ...more });

type Waiting = { resolve: (answer: never) => void; reject: (error: Error) => void };
const waiting = new Map<number, Waiting>();
let last = 0;

type AskTypes = Record<string, { args: object; answer: unknown }>;

/** Asks `room` in the extension. The answer to what was aborted never comes. */
export const asksOf =
  <A extends AskTypes>(room: string) =>
  <N extends keyof A & string>(name: N, args: A[N]['args'], signal?: AbortSignal): Promise<A[N]['answer']> =>
    new Promise((resolve, reject) => {
      const request = ++last;
      waiting.set(request, { resolve, reject });
      signal?.addEventListener('abort', () => {
        if (waiting.delete(request)) post({ kind: 'cancel', request });
      });
      post({ kind: 'ask', request, name: `${room}.${name}`, args });
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
