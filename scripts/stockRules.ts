import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Change = { from: RegExp; to: string };

/** `isProposedApiEnabled`, known by the function after it, which asks it and throws. */
const check: Change = {
  from: /function ([\w$]+)\((\w+),(\w+)\)\{return!0\}(?=function [\w$]+\(\w+,\w+\)\{if\(!\1\(\w+,\w+\)\)throw new Error\(`[^`]*CANNOT use API proposal)/g,
  to: 'function $1($2,$3){return!!$2.enabledApiProposals?.includes($3)}',
};

/** Whether an extension that is not built in may have what it declares. */
const grant: Change = { from: /_envEnablesProposedApiForAll=!0/g, to: '_envEnablesProposedApiForAll=!1' };

const changes: Record<string, readonly Change[]> = {
  'out/vs/workbench/api/node/extensionHostProcess.js': [check],
  'out/vs/code/browser/workbench/workbench.js': [check, grant],
};

/** `text` with its one place changed; fails where there is none, or more than one. */
export const changed = (text: string, file: string, { from, to }: Change): string => {
  const places = text.match(from)?.length ?? 0;
  if (places !== 1)
    throw new Error(
      `${file}: ${places} places match ${from}, one was expected. This code-server is not the one that the stock rules ` +
        `were written for: see how it answers a check of proposed API, and mend scripts/stockRules.ts.`,
    );
  return text.replace(from, to);
};

/**
 * Makes the VS Code in `folder` answer as a stock one does: code-server grants every proposed API to every extension, so
 * that nothing tested there would prove that the stable API is enough. Built-in extensions have what they declare.
 */
export const restoreStockRules = (folder: string): void => {
  for (const [name, list] of Object.entries(changes)) {
    const file = join(folder, name);
    const text = list.reduce((before, change) => changed(before, name, change), readFileSync(file, 'utf8'));
    writeFileSync(file, text);
  }
};
