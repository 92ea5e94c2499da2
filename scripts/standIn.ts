// VS Code from npm behind the command line of `code`, as far as @vscode/test-electron uses it:
//   --install-extension FILE.vsix
//   FOLDER --extensionDevelopmentPath=… --extensionTestsPath=…
// both with --user-data-dir=… and --extensions-dir=…
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installExtension, newProfile } from './codeServer.ts';
import { runInHost } from './runInHost.ts';
import { main } from './scope.ts';
import { startCode } from './startCode.ts';

const { values, positionals } = parseArgs({
  // A desktop's other flags mean nothing here.
  strict: false,
  allowPositionals: true,
  options: {
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
    'install-extension': { type: 'string' },
    'disable-workspace-trust': { type: 'boolean' },
    extensionDevelopmentPath: { type: 'string' },
    extensionTestsPath: { type: 'string' },
  },
});
const text = (name: keyof typeof values): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

await main(async (scope) => {
  const [data, extensions] = [text('user-data-dir'), text('extensions-dir')];
  const profile = newProfile(scope, { ...(data && { data }), ...(extensions && { extensions }) });
  const vsix = text('install-extension');
  if (vsix !== undefined) await installExtension(scope, profile, resolve(vsix));
  const [folder] = positionals;
  const [development, tests] = [text('extensionDevelopmentPath'), text('extensionTestsPath')];
  if (tests === undefined) return 0;
  if (development === undefined || folder === undefined)
    throw new Error('--extensionTestsPath needs a folder and --extensionDevelopmentPath');
  const workspaceTrust = values['disable-workspace-trust'] !== true;
  const code = await startCode(scope, { ...profile, workspaceTrust });
  const run = { folder: resolve(folder), extensionDevelopmentPath: development, extensionTestsPath: tests };
  const exitCode = await runInHost(scope, code, run);
  if (exitCode !== 0) scope.tell();
  return exitCode;
});
