// What Loom's presence costs and what its lean agent saves, in tokens.
import { atOnce } from '#base/slices.ts';
import { grouped } from '#base/text.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';
import { archiveInstruction } from '#archive/instruction.ts';
import { tools } from '#assemble.ts';
import { listingOf } from '#mcp/listing/listing.ts';
import { listingTexts } from '#mcp/listing/prompt.ts';
import { skillEntry } from '#vscode/chatFiles.ts';
import measured from './measured.json' with { type: 'json' };

const tokens = (text: string): number => atOnce(countTokens(text)).tokens;

/** An entry names a path; this is one of the usual length. */
const usualFolder = '/home/someone/.vscode/extensions/loom.loom-0.1.0';

/** What each request of Copilot's agent carries for Loom: what, tokens. */
export const standingRows = (): string[][] => {
  const [listing = '', instructions = ''] = listingTexts(listingOf(tools, 'core'), 'vscode');
  const rows: [string, number][] = [
    ['the core tools', tokens(listing)],
    ['the instructions', tokens(instructions)],
    ['the skill’s entry', tokens(skillEntry(usualFolder))],
    ['the prompt file, the lean agent while it is not chosen', 0],
    ['with the archive on, a sentence more', tokens(archiveInstruction)],
  ];
  return rows.map(([what, count]) => [what, grouped(count)]);
};

const sum = ({ tools, system }: { tools: number; system: number }): number => tools + system;

/** Tokens of a first request with Copilot's own agent and with the lean one, as a test measured them: agent, tools, system, both. */
export const leanRows = (): string[][] =>
  (['default', 'lean'] as const).map((kind) => {
    const { tools, system } = measured[kind];
    const name = kind === 'lean' ? 'Loom' : 'Agent (Copilot’s own, with Loom)';
    return [name, grouped(tools), grouped(system), grouped(sum(measured[kind]))];
  });
