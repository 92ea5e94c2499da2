// Opens Loom, as the sources are, in VS Code: the one on this machine, else one from npm for a browser.
//   npm run code [-- FOLDER]
//   npm run code -- --npm [FOLDER]           the one from npm in any case
//   npm run code -- --shot FILE.png [FOLDER]  a picture of it instead, taken without a screen
// For the picture: --size 1280x800, --theme NAME, --open FILE and --run TITLE (any number; files first), --view ID.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openPage } from './browser.ts';
import { focusTitle } from './manifest.ts';
import { onPath, run } from './run.ts';
import { main, type Scope } from './scope.ts';
import { startCode } from './startCode.ts';
import {
  openFile,
  openWorkbench,
  runCommand,
  settled,
  underDevelopment,
  webview,
  workbenchAddress,
} from './workbench.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    npm: { type: 'boolean', default: false },
    shot: { type: 'string' },
    view: { type: 'string' },
    theme: { type: 'string' },
    size: { type: 'string', default: '1280x800' },
    open: { type: 'string', multiple: true, default: [] },
    run: { type: 'string', multiple: true, default: [] },
  },
});

const root = resolve(import.meta.dirname, '..');
// npm has changed to the project's folder; paths are meant from where the person stands.
const here = (path: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), path);
const folder = here(positionals[0] ?? '.');

const takePicture = async (scope: Scope, file: string): Promise<void> => {
  const size = /^(\d+)x(\d+)$/.exec(values.size);
  if (!size) throw new Error(`--size ${values.size}: write it as 1280x800`);
  const viewport = { width: Number(size[1]), height: Number(size[2]) };
  const theme = values.theme !== undefined && { 'workbench.colorTheme': values.theme };
  const settings = {
    'editor.cursorBlinking': 'solid',
    'window.commandCenter': false,
    'window.title': '${activeEditorShort}${separator}${rootName}',
    ...theme,
  };
  const code = await startCode(scope, { settings });
  const page = await openPage(scope, { viewport });
  await openWorkbench(page, code, folder, underDevelopment(code, root));
  for (const name of values.open) await openFile(page, name);
  for (const title of values.run) await runCommand(page, title);
  if (values.view !== undefined) {
    await runCommand(page, focusTitle(root, values.view));
    await webview(page).locator('body :visible').first().waitFor();
  }
  const picture = await settled(page);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, picture);
  console.log(file);
};

const desktop = (): string | undefined => (values.npm ? undefined : onPath(['code', 'code.cmd']));

await main(async (scope) => {
  if (values.shot !== undefined) {
    await takePicture(scope, here(values.shot));
    return 0;
  }
  const executable = desktop();
  if (executable !== undefined) {
    await run(executable, [`--extensionDevelopmentPath=${root}`, folder], { scope });
    return 0;
  }
  const code = await startCode(scope);
  console.log(`Loom in VS Code: ${workbenchAddress(code, folder, underDevelopment(code, root))}`);
  console.log('Ctrl-C ends it. Its profile is thrown away.');
  return code.gone;
});
