// What stands in a model's prompt because of Loom.
import type { CallResult } from '#mcp/call/result.ts';
import { instructionsFor, listTools } from './render.ts';
import type { Listing } from './listing.ts';

// What stands in a model's prompt of what Loom sends to its client: the ledger counts these texts. VS Code's forms are
// those that its agent mode was seen to send to a model (1.139.1; test/vscode/truth.ts holds them).

/** A server's instructions within the system prompt. */
const inSystemPrompt = (words: string): string =>
  `<instruction forToolsWithPrefix="mcp_loom">\n${words}\n</instruction>\n`;

/**
 * What is paid for on each turn because Loom is listed. VS Code sends prefixed names, descriptions and schemas, no titles
 * and no annotations; other clients are taken to pass on the same without a prefix, and the instructions as they are.
 */
export const listingTexts = (on: Listing, client: string): string[] => {
  const tools = listTools(on).map(({ name, description, inputSchema: parameters }) =>
    client === 'vscode'
      ? { type: 'function', function: { name: `mcp_loom_${name}`, description, parameters } }
      : { name, description, parameters },
  );
  const words = instructionsFor(on);
  return [JSON.stringify(tools), client === 'vscode' ? inSystemPrompt(words) : words];
};

/** Text parts as VS Code makes one text of them: nothing is put between them, and white space around the whole goes. */
const joined = (parts: readonly string[]): string => parts.join('').trim();

/**
 * An answer's text. VS Code joins its parts, or takes structured content in their place; other clients are taken to pass on
 * the parts as they are. Pictures are not counted.
 */
export const answerTexts = ({ content, structuredContent }: CallResult, client: string): string[] => {
  const parts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (client !== 'vscode') return parts;
  return [structuredContent === undefined ? joined(parts) : JSON.stringify(structuredContent)];
};
