import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { page as pageOf } from '#vscode/views/page.ts';
import type { FromWebview, ToWebview } from '#vscode/views/protocol.ts';
import { themes } from './themes.ts';

const dist = join(import.meta.dirname, '../../dist');
const origin = 'http://loom.test';

export type Look = { theme?: keyof typeof themes; width?: number; height?: number };

export type SidebarPage = {
  page: Page;
  /** What the page has posted so far. */
  posted: () => Promise<FromWebview[]>;
  send: (message: ToWebview) => Promise<void>;
  /** What the browser complained about: faults of the script, and what the policy refused. */
  complaints: string[];
};

/** The sidebar's built page in `browser`, under the policy that VS Code serves it with, and in one of its themes. */
export const openSidebar = async (browser: Browser, look: Look = {}): Promise<SidebarPage> => {
  const { theme = 'dark', width = 300, height = 900 } = look;
  const page = await browser.newPage({ viewport: { width, height } });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const { kind, classes, variables } = themes[theme];
  const html = pageOf({
    source: origin,
    script: `${origin}/webview.js`,
    style: `${origin}/webview.css`,
    nonce: 'n0nce',
    language: 'en',
  }).replace('<body>', `<body class="${classes}" data-vscode-theme-kind="${kind}">`);
  const colours = Object.entries(variables).map(([name, value]) => `--vscode-${name}: ${value};`);
  const background = variables['sideBar-background'];
  const files: Record<string, { contentType: string; body: string }> = {
    '/': { contentType: 'text/html', body: html },
    '/webview.js': { contentType: 'text/javascript', body: built('webview.js') },
    '/webview.css': {
      contentType: 'text/css',
      body: `:root { ${colours.join(' ')} background: ${background}; }\n${built('webview.css')}`,
    },
  };
  await page.route(`${origin}/**`, (route) => route.fulfill(files[new URL(route.request().url()).pathname]));
  await page.addInitScript(standIn);
  await page.goto(origin);
  return {
    page,
    complaints,
    posted: () => page.evaluate<FromWebview[]>('posted'),
    send: (message) => page.evaluate<undefined>(`postMessage(${JSON.stringify(message)}, '*')`),
  };
};

const built = (name: string): string => readFileSync(join(dist, name), 'utf8');

// What VS Code gives to a webview's script.
const standIn = `
  let kept;
  globalThis.posted = [];
  globalThis.acquireVsCodeApi = () => ({
    postMessage: (message) => posted.push(message),
    getState: () => kept,
    setState: (state) => (kept = state),
  });
`;
