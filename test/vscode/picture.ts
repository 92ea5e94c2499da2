// npm run picture: takes the README's picture of the sidebar, in the real VS Code, after turns of Copilot's agent mode with
// a scripted model. What it shows are the ledger's own figures of those turns.
//   node test/vscode/picture.ts [FILE.png] [THEME] [WIDTHxHEIGHT]
import { copyFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { focusTitle } from '#scripts/manifest.ts';
import { main } from '#scripts/scope.ts';
import { openFile, runCommand, settled, webview } from '#scripts/workbench.ts';
import { logText } from '../bench/corpus.ts';
import { startAgent } from './agent/agent.ts';
import { freshlyInstalled, root } from './install.ts';

const [file = join(root, 'media/sidebar.png'), theme = 'Default Light Modern', size = '1280x800'] =
  process.argv.slice(2);
const [width = 1280, height = 800] = size.split('x').map(Number);

await main(async (scope) => {
  const folder = scope.folder('orders');
  writeFileSync(join(folder, 'server.log'), logText(600_000));
  copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  const profile = await freshlyInstalled(scope, 'profile');
  const settings = { 'workbench.colorTheme': theme, 'editor.minimap.enabled': false, 'window.commandCenter': false };
  const agent = await startAgent(scope, folder, { ...profile, settings });
  await agent.turn('Why do orders fail? The log is server.log', [
    [{ tool: 'mcp_loom_ctx_store_file', input: { path: 'server.log' } }],
    [{ tool: 'mcp_loom_ctx_search', input: { query: 'connection refused', doc: 'd1', limit: 2 } }],
    [{ tool: 'mcp_loom_ctx_get', input: { id: 'd1', lines: '10-30' } }],
  ]);
  await agent.turn('Which version of zod is locked?', [
    [{ tool: 'mcp_loom_ctx_store_file', input: { path: 'package-lock.json' } }],
    [{ tool: 'mcp_loom_ctx_search', input: { query: 'node_modules/zod version', doc: 'd2', limit: 1 } }],
  ]);
  const { page } = agent;
  await page.setViewportSize({ width, height });
  await openFile(page, 'server.log');
  await runCommand(page, focusTitle(root, 'loom.sidebar'));
  await webview(page).getByText('server.log').first().waitFor({ timeout: 60_000 });
  writeFileSync(resolve(file), await settled(page));
  console.log(resolve(file));
  return 0;
});
