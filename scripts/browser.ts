import { createReadStream, createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { chromium, type Browser, type BrowserContextOptions, type LaunchOptions, type Page } from 'playwright-core';
import { cached, step } from './cache.ts';
import { patience } from './patience.ts';
import { onPath, run } from './run.ts';
import type { Scope } from './scope.ts';

const launchOptions: LaunchOptions = {
  headless: true,
  timeout: patience * 1000,
  // Playwright would end the process by itself at a signal, before a scope has closed the rest.
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-dev-shm-usage',
  ],
};

const names = ['chromium', 'google-chrome', 'google-chrome-stable', 'chrome'];
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
];

/** LOOM_TEST_BROWSER names an executable; `npm` there means the one from npm, even if another is installed. */
const installed = (): string | undefined => {
  const asked = process.env.LOOM_TEST_BROWSER;
  if (asked !== undefined) return asked === 'npm' ? undefined : asked;
  return onPath(names) ?? applications.find(existsSync);
};

/**
 * The browser in @sparticuz/chromium's tarball. Its own `executablePath()` is not used: it unpacks into the shared temp
 * folder, takes another process's half-written file for a whole one, and leaves out nss and nspr, which a bare Debian
 * lacks.
 */
const unpack = async (scope: Scope): Promise<string> => {
  const manifest = findPackageJSON('@sparticuz/chromium', import.meta.url);
  if (manifest === undefined) throw new Error('@sparticuz/chromium is not installed: npm ci');
  const home = dirname(manifest);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return cached(scope, `chromium-${version}`, async (part, final) => {
    console.log(`Chromium ${version}: unpacked from node_modules, once, into ${final}`);
    const brotli = (name: string): NodeJS.ReadableStream =>
      createReadStream(join(home, 'bin', name)).pipe(createBrotliDecompress());
    for (const name of ['al2023.tar.br', 'fonts.tar.br'])
      await step(name, part, () => run('tar', ['-x', '-C', part], { scope, input: brotli(name) }));
    await step('chromium.br', part, () =>
      pipeline(brotli('chromium.br'), createWriteStream(join(part, 'chromium'), { mode: 0o755 })),
    );
    // The package's own fonts.conf names /tmp/fonts.
    writeFileSync(
      join(part, 'fonts.conf'),
      `<fontconfig><dir>/usr/share/fonts</dir><dir>${final}/fonts</dir><cachedir>${final}/fontconfig</cachedir></fontconfig>`,
    );
  });
};

const fromNpm = async (scope: Scope): Promise<LaunchOptions> => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('No Chrome or Chromium found: install one, or name it in LOOM_TEST_BROWSER.');
  const folder = await unpack(scope);
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: folder };
  return { executablePath: join(folder, 'chromium'), env };
};

/** A headless Chromium: the machine's own where it has one, else the one that npm has already brought. */
export const openBrowser = async (scope: Scope): Promise<Browser> => {
  const executablePath = installed();
  const which = executablePath === undefined ? await fromNpm(scope) : { executablePath };
  const browser = await chromium.launch({ ...launchOptions, ...which });
  scope.defer(() => browser.close());
  return browser;
};

/** A page in a browser of its own, which waits with all our patience for whatever it is asked for. */
export const openPage = async (scope: Scope, options?: BrowserContextOptions): Promise<Page> => {
  const page = await (await openBrowser(scope)).newPage(options);
  page.setDefaultTimeout(patience * 1000);
  return page;
};
