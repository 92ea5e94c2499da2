// What Loom gives Copilot's agent besides its tools: instructions, a skill, a prompt file, a lean agent, the archive.
import { archiveInstruction } from '#archive/instruction.ts';
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from '#base/slices.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';
import { unfenced } from '#drawer/tools/fenced.ts';
import { listingTexts } from '#mcp/listing/prompt.ts';
import { listingFor } from '../fixtures.ts';
import type { Profile } from '#scripts/codeServer.ts';
import type { Scope } from '#scripts/scope.ts';
import { chatFiles, skillEntry } from '#vscode/chatFiles.ts';
import { startAgent, type Agent } from './agent/agent.ts';
import { chooseAgent } from './agent/chat.ts';
import measured from '#scripts/measured.json' with { type: 'json' };
import { textOf, type Request, type ToolCall } from './agent/model.ts';
import { report, reports } from './agent/reports.ts';
import { testsInPage } from './inPage.ts';
import { root } from './install.ts';
import type { Result } from './report.ts';
import type { Tests } from './runTests.ts';

const tokens = (text: string): number => atOnce(countTokens(text)).tokens;
const allText = ({ messages }: Request): string => messages.map(textOf).join('\n');
const bodyOf = (path: string): string => readFileSync(join(root, path), 'utf8').replace(/^---\n[^]*?\n---\n+/, '');

/** The first of the requests, as it must be there. */
const firstOf = ([request]: readonly Request[]): Request => {
  assert(request, 'the model was not asked');
  return request;
};

/** Tokens of the tools, those of the test's own server apart, and of the system prompt. */
const weigh = ({ tools = [], messages: [system] }: Request): { tools: number; system: number } => ({
  tools: tokens(JSON.stringify(tools.filter(({ function: { name } }) => !name.startsWith('mcp_reports_')))),
  system: tokens(system ? textOf(system) : ''),
});

/** The README's figures come from measured.json: a VS Code that differs by more than a twentieth has to be measured anew. */
const isAsMeasured = (request: Request, kind: 'default' | 'lean'): void => {
  const seen = weigh(request);
  console.log(`       ${kind} agent: ${JSON.stringify(seen)} tokens`);
  for (const part of ['tools', 'system'] as const)
    assert(
      Math.abs(seen[part] - measured[kind][part]) <= measured[kind][part] / 20,
      `measured.json says ${JSON.stringify(measured[kind])} of the ${kind} agent, seen ${JSON.stringify(seen)}`,
    );
};

const terminal = (command: string): ToolCall => ({
  tool: 'run_in_terminal',
  input: { command, explanation: 'A test.', goal: 'A test.', mode: 'sync', isBackground: false, timeout: 60_000 },
});
const reported = (lines: number): ToolCall => ({ tool: 'mcp_reports_report', input: { lines } });
const get = (id: string, lines: string): ToolCall => ({ tool: 'mcp_loom_ctx_get', input: { id, lines } });
const search = (query: string): ToolCall => ({ tool: 'mcp_loom_ctx_search', input: { query } });

/** 64 KB: VS Code cuts it to 20,000 characters and saves the whole; the agent sees the name of another file. */
const line = (n: number): string =>
  `${String(n).padStart(6, '0')} a line of a long output, with words that fill it up to sixty`;
const longOutput = terminal('seq -f "%06g a line of a long output, with words that fill it up to sixty" 1 950');

const idOf = (answer: string | undefined): string => {
  const id = /\bd\d+\b/.exec(answer ?? '')?.[0];
  assert(id, `no id in ${answer}`);
  return id;
};

const meansTests = (agent: Agent, workspace: string, extension: string): Tests => ({
  'the first request carries what the ledger bills for the listing, and nothing else of Loom': async () => {
    const request = firstOf((await agent.turn('Look around', [])).requests);
    const [listing = '', instructions = ''] = listingTexts(
      listingFor('core', { moreInstructions: [archiveInstruction] }),
      'vscode',
    );
    const own = (request.tools ?? []).filter(({ function: { name } }) => name.startsWith('mcp_loom_'));
    assert.deepEqual(own, JSON.parse(listing));
    const text = allText(request);
    for (const standing of [instructions, skillEntry(extension)])
      assert.equal(text.split(standing).length, 2, standing);
    assert(!text.includes(chatFiles.agent.header.description), 'the lean agent has an entry');
    isAsMeasured(request, 'default');
  },

  'the skill is read where its entry says': async () => {
    const filePath = `${extension}/${chatFiles.skill.path}`;
    const read = { tool: 'read_file', input: { filePath, startLine: 1, endLine: 200 } };
    const { results, confirmations } = await agent.turn('Read the skill', [[read]]);
    assert.deepEqual(confirmations, []);
    assert(results[0]?.includes(bodyOf(chatFiles.skill.path).trim().slice(0, 1_000)), results[0]?.slice(0, 300));
  },

  '/loom puts the prompt file before the request': async () => {
    const request = firstOf((await agent.turn('/loom what failed in build.log', [])).requests);
    const [before, after] = allText(request).split(bodyOf(chatFiles.prompt.path).trim());
    assert(before && after?.includes('what failed in build.log'), 'the prompt file is not in the request');
  },

  'large results are hidden in files; after a compaction the agent is told once, finds them and gets them exactly':
    async () => {
      const filled = await agent.turn('Make much', [
        [longOutput],
        [reported(600)],
        [reported(165), reported(166), reported(167), reported(168)],
      ]);
      for (const hidden of filled.results.slice(0, 2)) assert.match(hidden, /^Large tool result/);
      const { requests, results } = await agent.turn('Go on after a compaction', [
        [reported(163), reported(164)],
        [terminal('echo one')],
        [terminal('echo two')],
        [search('000123 a line of a long output'), search('row 577 of the report holds the value')],
        (before) => before.slice(-2).map((hits) => get(idOf(hits), '100-140')),
      ]);
      const last = requests.at(-1);
      assert(last && allText(last).includes('The calls so far were made.'), 'the conversation was not compacted');
      const told = last.messages.filter((message) => textOf(message).includes('This conversation was compacted'));
      assert.equal(told.length, 1, 'told once');
      const asked = Array.from({ length: 41 }, (_, n) => line(n + 100)).join('\n');
      const [output = '', rows = ''] = results.slice(-2).map((page) => unfenced(page).text.trimEnd());
      assert.equal(output, asked);
      assert.equal(rows, report(600).split('\n').slice(99, 140).join('\n'));
      const hits = results.slice(-4, -2).join('\n');
      for (const title of ['run_in_terminal: seq -f', 'mcp_reports_report: {"lines":600}'])
        assert(hits.includes(title), hits);
    },

  'the lean agent stores, searches, reads and computes, with a part of the tools': async () => {
    await chooseAgent(agent.page, chatFiles.agent.header.name);
    const entry = (n: number): string => `entry ${n} of the workspace log holds the number ${n * 31}`;
    writeFileSync(join(workspace, 'big.log'), Array.from({ length: 3_000 }, (_, n) => entry(n)).join('\n'));
    const { requests, results } = await agent.turn('Work lean', [
      [{ tool: 'mcp_loom_ctx_store_file', input: { path: 'big.log' } }],
      [search('entry 2345 of the workspace log')],
      ([anchor]) => [get(idOf(anchor), '2346')],
      [{ tool: 'mcp_loom_run_python', input: { code: 'print(6 * 7)' } }],
    ]);
    const request = firstOf(requests);
    const names = (request.tools ?? [])
      .map(({ function: { name } }) => name)
      .filter((name) => !name.startsWith('mcp_loom_'));
    console.log(`       the lean agent's other tools: ${names.join(', ')}`);
    for (const name of ['read_file', 'grep_search', 'replace_string_in_file', 'run_in_terminal'])
      assert(names.includes(name), name);
    assert(allText(request).includes(bodyOf(chatFiles.agent.path).trim()), 'its text is not in the prompt');
    assert.match(results[1] ?? '', new RegExp(entry(2345)));
    assert(results[2]?.includes(entry(2345)), results[2]);
    assert.match(results[3] ?? '', /42/);
    isAsMeasured(request, 'lean');
  },
});

/** Where VS Code put the extension. */
const installedIn = (extensions: string): string => {
  const list = JSON.parse(readFileSync(join(extensions, 'extensions.json'), 'utf8')) as { relativeLocation: string }[];
  return join(extensions, list[0]?.relativeLocation ?? '');
};

export const inAgentMeans = async (scope: Scope, profile: Profile): Promise<Result[]> => {
  mkdirSync(join(profile.data, 'User'), { recursive: true });
  writeFileSync(join(profile.data, 'User/mcp.json'), JSON.stringify(reports));
  const workspace = scope.folder('workspace');
  const settings = {
    'loom.archive.enabled': true,
    'github.copilot.chat.summarizeAgentConversationHistoryThreshold': 30_000,
  };
  const agent = await startAgent(scope, workspace, { ...profile, settings });
  return testsInPage(agent.page, agent.newChat, meansTests(agent, workspace, installedIn(profile.extensions)));
};
