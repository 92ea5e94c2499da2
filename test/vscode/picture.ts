// npm run picture: takes the README's pictures of the sidebar, the panel and the walkthrough, in the real VS Code, after turns of Copilot's
// agent mode with a scripted model. What they show are the ledger's own figures of those turns.
//   node test/vscode/picture.ts [FOLDER] [THEME] [WIDTHxHEIGHT]
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { focusTitle } from '#scripts/manifest.ts';
import { main } from '#scripts/scope.ts';
import { openFile, runCommand, settled, webview, type Clip } from '#scripts/workbench.ts';
import { logText } from '../bench/corpus.ts';
import { startAgent } from './agent/agent.ts';
import { freshlyInstalled, root } from './install.ts';
import { viewFrame } from './panel.ts';

const [pictures = join(root, 'media'), theme = 'Default Light Modern', size = '1280x800'] = process.argv.slice(2);
const [width = 1280, height = 800] = size.split('x').map(Number);

await main(async (scope) => {
  // The pictures name it.
  const folder = join(scope.folder('picture'), 'orders');
  mkdirSync(folder);
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
  const take = async (name: string, clip?: Clip): Promise<void> => {
    const file = resolve(pictures, name);
    writeFileSync(file, await settled(page, clip));
    console.log(file);
  };
  await runCommand(page, focusTitle(root, 'loom.sidebar'));
  await webview(page).getByText('server.log').first().waitFor();
  // What lies beside it is only seen in part: pictures stay small.
  await take('sidebar.png', { x: 0, y: 0, width: Math.min(width, 700), height });
  await runCommand(page, 'View: Toggle Secondary Side Bar Visibility');
  await runCommand(page, 'Loom: Open Drawer');
  const panel = await viewFrame(page, 'panel');
  await panel.getByRole('row', { name: /server\.log/ }).click();
  await panel.getByText('verbatim').first().waitFor();
  await take('panel.png');
  await runCommand(page, 'View: Close All Editors');
  // Beside a side bar there is no room for the steps' pictures.
  await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
  await runCommand(page, 'Loom: Open Walkthrough');
  await page.locator('.getting-started-step', { hasText: 'Read the bill' }).first().click();
  await webview(page).locator('svg text', { hasText: 'Kept out of the prompt' }).first().waitFor();
  await take('walkthrough.png');
  return 0;
});
