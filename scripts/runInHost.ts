import { openPage } from './browser.ts';
import { patience } from './patience.ts';
import type { Scope } from './scope.ts';
import type { Code } from './startCode.ts';
import { remote, underDevelopment, workbenchAddress } from './workbench.ts';

export type HostRun = {
  folder: string;
  extensionDevelopmentPath: string;
  /** A CommonJS module that exports `run(): Promise<void>`; it runs in the extension host. */
  extensionTestsPath: string;
};

/** Seconds that the run may take: a score of tests, of which few wait long. */
const deadline = 6 * patience;

const noise =
  /\[AgentHost|^error Canceled|bindings file|native-watchdog|from gallery|creating a socket|connection token/i;

// The workbench reports 0 when the host dies; the server knows better, and has said so by then.
const hostDeath = (log: string): string | undefined =>
  [...log.matchAll(/Extension Host Process exited with (code: \w+, signal: \w+)/g)]
    .map(([, end]) => end)
    .find((end) => end !== 'code: 0, signal: null');

/**
 * Runs tests in the extension host of `code`, in a window of their own, and gives their exit code. Fails where the host,
 * the window or the server ends before the tests do, and at the deadline. The window's log is shown at a failure.
 */
export const runInHost = async (scope: Scope, code: Code, run: HostRun): Promise<number> => {
  // The clipboard of a window in a browser is the browser's.
  const page = await openPage(scope, { permissions: ['clipboard-read', 'clipboard-write'] });
  const log: string[] = [];
  scope.onFailure(() => console.error(`--- the window's log\n${log.slice(-40).join('\n')}\n---`));
  const ended = Promise.withResolvers<number>();
  // It may come to its end while the page still loads.
  ended.promise.catch(() => undefined);
  const fail = (why: string): void => ended.reject(new Error(why));
  // The workbench's own test mode calls these two.
  await page.exposeFunction('codeAutomationExit', (exitCode: number) => ended.resolve(exitCode));
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    const entry = `${type} ${args.map(String).join(' ')}`;
    if (!noise.test(entry)) log.push(entry.split('\n').slice(0, 5).join('\n'));
  });
  page.on('crash', () => fail('the window crashed'));
  page.on('close', () => fail('the window was closed'));
  code.gone.catch((error: Error) => ended.reject(error));
  const late = setTimeout(() => fail(`the tests did not end in ${deadline} s`), deadline * 1000);
  try {
    const payload = [
      ...underDevelopment(code, run.extensionDevelopmentPath),
      ['extensionTestsPath', remote(code, run.extensionTestsPath)] as const,
    ];
    await page.goto(workbenchAddress(code, run.folder, payload));
    const exitCode = await ended.promise;
    const death = hostDeath(code.log());
    if (death !== undefined) throw new Error(`the extension host ended before its tests did (${death})`);
    return exitCode;
  } finally {
    clearTimeout(late);
    await page.close();
  }
};
