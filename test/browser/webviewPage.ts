import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { AskTypes } from '#base/view.ts';
import type { DrawerAsks } from '#drawer/asks.ts';
import type { KernelAsks } from '#kernel/asks.ts';
import type { LedgerAsks } from '#ledger/asks.ts';
import * as rooms from '#vscode/rooms.ts';
import { page as pageOf } from '#vscode/views/page.ts';
import type { FromWebview, ToWebview, ViewId } from '#vscode/views/protocol.ts';
import { viewWords } from '#vscode/views/words.ts';
import { themes } from './themes.ts';

const dist = join(import.meta.dirname, '../../dist');
const origin = 'http://loom.test';

export type Look = { theme?: keyof typeof themes; width?: number; height?: number };

type OfRoom<R extends string, A extends AskTypes> = {
  [N in keyof A & string as `${R}.${N}`]?: (args: A[N]['args']) => A[N]['answer'] | Error;
};

/** What stands in for the extension: answers to what the page asks. */
export type FakeHost = OfRoom<'drawer', DrawerAsks> & OfRoom<'kernel', KernelAsks> & OfRoom<'ledger', LedgerAsks>;

export type WebviewPage = {
  page: Page;
  /** What the page has posted so far, what it asked for left out. */
  posted: () => Promise<FromWebview[]>;
  /** What it asked for so far, by name. */
  asked: () => string[];
  send: (message: ToWebview) => Promise<void>;
  /** It was answered all that it asked for so far. */
  answered: () => Promise<void>;
  /** What axe has against the page, by rule and element. */
  barriers: () => Promise<string[]>;
  /** What the browser complained about: faults of the script, and what the policy refused. */
  complaints: string[];
};

export type OpenPage = {
  view: ViewId;
  look?: Look;
  host?: FakeHost;
  /** What VS Code kept of an earlier page. */
  kept?: unknown;
};

/** A view's built page in `browser`, under the policy that VS Code serves it with, and in one of its themes. */
export const openPage = async (
  browser: Browser,
  { view, look = {}, host = {}, kept }: OpenPage,
): Promise<WebviewPage> => {
  const { theme = 'dark', width = view === 'panel' ? 1000 : 300, height = 900 } = look;
  const page = await browser.newPage({ viewport: { width, height } });
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const files = filesOf(view, theme);
  await page.route(`${origin}/**`, (route) => route.fulfill(files[new URL(route.request().url()).pathname]));
  await page.exposeFunction('answer', (name: keyof FakeHost, args: never) => {
    asked.push(name);
    const answer = host[name]?.(args);
    return answer instanceof Error ? { message: answer.message } : { answer };
  });
  await page.addInitScript(standIn(kept));
  await page.goto(origin);
  return {
    page,
    complaints,
    asked: () => asked,
    posted: () => page.evaluate<FromWebview[]>('posted'),
    send: (message) => page.evaluate<undefined>(`send(${JSON.stringify(message)})`),
    answered: () => page.evaluate<undefined>('answered()'),
    barriers: async () => {
      await page.evaluate(axe);
      const results = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
      return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
    },
  };
};

const built = (name: string): string => readFileSync(join(dist, name), 'utf8');

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const filesOf = (view: ViewId, theme: keyof typeof themes): Record<string, { contentType: string; body: string }> => {
  const { kind, classes, variables } = themes[theme];
  const html = pageOf({
    view,
    source: origin,
    script: `${origin}/webview.js`,
    style: `${origin}/webview.css`,
    nonce: 'n0nce',
    language: 'en',
    words: viewWords({ t: (message) => message }, rooms),
  }).replace('<body>', `<body class="${classes}" data-vscode-theme-kind="${kind}">`);
  const colours = Object.entries(variables).map(([name, value]) => `--vscode-${name}: ${value};`);
  const background = variables[view === 'panel' ? 'editor-background' : 'sideBar-background'];
  return {
    '/': { contentType: 'text/html', body: html },
    '/webview.js': { contentType: 'text/javascript', body: built('webview.js') },
    '/webview.css': {
      contentType: 'text/css',
      body: `:root { ${colours.join(' ')} background: ${background}; } body { margin: 0; }\n${built('webview.css')}`,
    },
  };
};

// What VS Code gives to a webview's script, and an extension that answers a moment later.
const standIn = (kept: unknown): string => `
  let kept = ${JSON.stringify(kept) ?? 'undefined'};
  const answering = new Set();
  globalThis.posted = [];
  globalThis.kept = () => kept;
  globalThis.send = (data) => void dispatchEvent(new MessageEvent('message', { data }));
  globalThis.answered = async () => {
    while (answering.size > 0) await Promise.all(answering);
  };
  const reply = async ({ name, args, request }) => {
    const { answer: found, message } = await answer(name, args);
    send(message === undefined ? { kind: 'answer', request, answer: found } : { kind: 'refusal', request, message });
  };
  globalThis.acquireVsCodeApi = () => ({
    postMessage: (message) => {
      if (message.kind === 'cancel') return;
      if (message.kind !== 'ask') return void posted.push(message);
      const replied = reply(message).then(() => answering.delete(replied));
      answering.add(replied);
    },
    getState: () => kept,
    setState: (state) => (kept = structuredClone(state)),
  });
`;
