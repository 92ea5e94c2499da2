import type { ToolsetName } from './defineTool.ts';
import { instructions } from './instructions.ts';
import { listTools } from './listing.ts';

// What stands in a model's prompt of what Loom sends to its client: the ledger counts these texts. VS Code's forms are
// those that its agent mode was seen to send to a model (1.139.1; test/vscode/truth.ts holds them).

/** A server's instructions within the system prompt. */
const inSystemPrompt = `<instruction forToolsWithPrefix="mcp_loom">\n${instructions}\n</instruction>\n`;

/**
 * What is paid for on each turn because Loom is listed. VS Code sends prefixed names, descriptions and schemas, no titles
 * and no annotations; other clients are taken to pass on the same without a prefix, and the instructions as they are.
 */
export const listingTexts = (toolset: ToolsetName, client: string): string[] => {
  const tools = listTools(toolset).map(({ name, description, inputSchema: parameters }) =>
    client === 'vscode'
      ? { type: 'function', function: { name: `mcp_loom_${name}`, description, parameters } }
      : { name, description, parameters },
  );
  return [JSON.stringify(tools), client === 'vscode' ? inSystemPrompt : instructions];
};

/** An answer's text parts. VS Code makes one text of them, each on lines of its own. */
export const answerTexts = (parts: readonly string[], client: string): readonly string[] =>
  client === 'vscode' ? [parts.join('\n')] : parts;
