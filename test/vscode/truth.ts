// The ledger against what the model received: each request of a turn counted by OpenAI's own tokenizer.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { get_encoding } from 'tiktoken';
import { silentLog } from '#base/log.ts';
import type { EntryRow } from '#ledger/types.ts';
import { patience } from '#scripts/patience.ts';
import type { Scope } from '#scripts/scope.ts';
import { until } from '#scripts/until.ts';
import { idIn, type Agent } from './agent/agent.ts';
import { textOf, type Request } from './agent/model.ts';
import { bundles, openLoom } from '../fixtures.ts';
import type { Tests } from './runTests.ts';

/** Tokens of `text` as OpenAI's tokenizer counts them, special tokens being ordinary text. */
const counting = (scope: Scope): ((text: string) => number) => {
  const encoding = get_encoding('o200k_base');
  scope.defer(() => encoding.free());
  return (text) => encoding.encode(text, [], []).length;
};

/** What stands in a request because Loom is there: its tools exactly as they are sent, its parts of the system prompt. */
const paidEachTurn = ({ tools = [], messages }: Request): string[] => {
  const ours = tools.filter((tool) => tool.function.name.startsWith('mcp_loom_'));
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(textOf)
    .join('\n');
  const [instructions] = system.match(/<instruction forToolsWithPrefix="mcp_loom">\n[^]*?<\/instruction>\n/) ?? [];
  const skills = (system.match(/<skill>\n[^]*?<\/skill>\n/g) ?? []).filter((skill) => skill.includes('/loom.loom-'));
  assert(ours.length > 0 && instructions && skills.length > 0, 'Loom is not in the prompt');
  // Whatever else names it would be paid for, and in no figure.
  const rest = [instructions, ...skills].reduce((text, part) => text.replace(part, ''), system);
  assert.doesNotMatch(rest, /\bLoom\b|mcp_loom/);
  return [JSON.stringify(ours), instructions, ...skills];
};

/** The arguments of each call of Loom in a request, as the model wrote them, and what it received for them. */
const exchanged = ({ messages }: Request, from: number): { call: string; answer: string }[] => {
  const turn = messages.slice(from);
  const answers = turn.filter(({ role }) => role === 'tool').map(textOf);
  const calls = turn.flatMap(({ tool_calls = [] }) => tool_calls).map((call) => call.function.arguments);
  return calls.map((call, n) => ({ call, answer: answers[n] ?? '(none)' }));
};

type Given = { agent: Agent; drawer: string; folder: string };

/** What the drawer has already is not kept out once more: each log is another. */
const newLog = (number: number): string =>
  Array.from({ length: 1_500 }, (_, n) => `${n} GET /api/${number}/items/${n * 31} 200 ${(n * 7) % 97} ms\n`).join('');
let logs = 0;
const printed = Array.from({ length: 150 }, (_, n) => `${n} ${n ** 3}`).join('\n');

/** Tests that the ledger in `drawer` is what `agent`'s model received. Their workspace is `folder`. */
export const truthTests = (scope: Scope, { agent, drawer, folder }: Given): Tests => ({
  'the ledger is what the model received, token for token': async () => {
    const count = counting(scope);
    const log = newLog((logs += 1));
    writeFileSync(join(folder, 'access.log'), log);
    writeFileSync(join(folder, 'error.log'), log.replaceAll('200', '500'));
    const loom = openLoom({ programs: bundles, workspace: folder, drawer, log: silentLog });
    scope.defer(loom.end);
    const { ledger } = loom.services;
    const entries = async (): Promise<EntryRow[]> =>
      (await ledger.entries({ life: true, offset: 0, limit: 1_000 })).rows.toReversed();
    const before = (await entries()).at(-1)?.id ?? 0;

    const { requests, results } = await agent.turn('What is in access.log?', [
      // Answers of several parts, which end in a line end or do not.
      [{ tool: 'mcp_loom_ctx_store_file', input: { paths: ['access.log', 'error.log'] } }],
      ([anchor]) => [
        { tool: 'mcp_loom_ctx_search', input: { query: 'items 31000' } },
        { tool: 'mcp_loom_ctx_get', input: { ids: [`${idIn(anchor)}.1`, `${idIn(anchor)}.2`] } },
      ],
      [{ tool: 'mcp_loom_run_python', input: { code: 'for n in range(150): print(n, n ** 3)', timeout_seconds: 60 } }],
    ]);
    const [first, last] = [requests[0], requests.at(-1)];
    assert(first && last && results.length === 4, `${requests.length} requests, ${results.length} results`);
    const sent = exchanged(last, first.messages.length);

    const turn = await until('the entries of the turn', patience, async () => {
      const rows = (await entries()).filter(({ id }) => id > before);
      return rows.filter(({ kind }) => kind === 'answer').length === 4 && rows;
    });
    const of = (kind: EntryRow['kind']): number[] =>
      turn.filter((row) => row.kind === kind).map(({ tokens }) => tokens);
    // Two calls of one round may end in either order.
    const sorted = (numbers: number[]): number[] => numbers.toSorted((a, b) => a - b);
    assert.deepEqual(sorted(of('call')), sorted(sent.map(({ call }) => count(call))), 'arguments');
    assert.deepEqual(sorted(of('answer')), sorted(sent.map(({ answer }) => count(answer))), 'answers');
    assert.deepEqual(of('moved'), [count(log), count(log.replaceAll('200', '500')), count(printed)], 'kept out');

    const conversation = turn.find(({ kind }) => kind === 'call')?.conversation ?? '';
    const listing = paidEachTurn(first).reduce((sum, text) => sum + count(text), 0);
    for (const request of requests) assert.deepEqual(paidEachTurn(request), paidEachTurn(first));
    const report = await ledger.report({ conversation });
    assert.deepEqual(report.listing, { tokens: listing, label: 'measured' }, 'listing');
    assert.equal(report.turns.counted, true);
    assert.equal(report.listed?.tokens, report.turns.count * listing);
    const inForce = (await ledger.entries({ conversation, kind: 'listing', offset: 0, limit: 9 })).rows;
    assert.deepEqual(
      inForce.map(({ tokens }) => tokens),
      [listing],
    );
  },
});
