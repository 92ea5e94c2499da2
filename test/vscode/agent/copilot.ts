// The Copilot that comes with VS Code, without signing in.
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { getCodeServer } from '#scripts/codeServer.ts';
import type { Scope } from '#scripts/scope.ts';

/** VS Code's own extensions with a private copy of Copilot, which writes into its own folder; the others are links. */
export const privateExtensions = async (scope: Scope): Promise<string> => {
  const shared = join(await getCodeServer(scope), 'lib/vscode/extensions');
  const own = join(scope.folder('builtin'), 'extensions');
  mkdirSync(own);
  for (const name of readdirSync(shared))
    if (name === 'copilot') cpSync(join(shared, name), join(own, name), { recursive: true });
    else symlinkSync(join(shared, name), join(own, name));
  return own;
};

/**
 * A fresh profile leaves Copilot switched off until somebody signs in, unless the page that serves the workbench names it
 * among the extensions to enable. This adds it to what the page says. Runs in the page.
 */
const nameCopilot = `{
  const get = Element.prototype.getAttribute;
  Element.prototype.getAttribute = function (name) {
    const value = get.call(this, name);
    if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration' || !value) return value;
    const settings = JSON.parse(value);
    settings.enabledExtensions = [...(settings.enabledExtensions ?? []), 'GitHub.copilot-chat'];
    return JSON.stringify(settings);
  };
}`;

/** Switches Copilot on in every workbench that `page` opens from now on. */
export const enableCopilot = (page: Page): Promise<unknown> => page.addInitScript(nameCopilot);
