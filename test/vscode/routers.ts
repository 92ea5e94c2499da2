// Routers, effects and confirmations as Copilot's agent meets them.
import assert from 'node:assert/strict';
import { runCommand } from '#scripts/workbench.ts';
import type { Agent } from './agent/agent.ts';
import type { Request, ToolCall } from './agent/model.ts';
import type { Tests } from './runTests.ts';

/** VS Code puts a longer text part into a file and gives the model its path. */
const longestShown = 8_192;

const loomTools = ([first]: readonly Request[]): string[] =>
  (first?.tools ?? [])
    .map(({ function: { name } }) => name)
    .filter((name) => name.startsWith('mcp_loom_'))
    .map((name) => name.slice('mcp_loom_'.length))
    .toSorted();

const op = (name: string, args: object = {}): ToolCall => ({
  tool: 'mcp_loom_loom_op',
  input: { op: name, arguments: args },
});
const opWrite = (name: string, args: object = {}): ToolCall => ({
  tool: 'mcp_loom_loom_op_write',
  input: { op: name, arguments: args },
});
const python = (code: string): ToolCall => ({ tool: 'mcp_loom_run_python', input: { code, timeout_seconds: 60 } });

export const reading = ['ctx_get', 'ctx_search', 'ctx_store', 'ctx_store_file', 'loom_op', 'read_python_output'];
export const core = [...reading, 'interrupt_python', 'loom_op_write', 'reset_python', 'run_python'].toSorted();

const log = Array.from({ length: 3_000 }, (_, n) => `${n} linked object ${n * 37}\n`).join('');

/** Each result as the model got it: in the prompt, and by the words it begins with. */
const assertResults = (results: readonly string[], beginnings: readonly RegExp[]): void => {
  assert.equal(results.length, beginnings.length, results.map((result) => result.slice(0, 80)).join('\n'));
  for (const [n, beginning] of beginnings.entries()) {
    const result = results[n] ?? '';
    assert.match(result, beginning);
    assert(result.length <= longestShown && !result.includes('written to file'), result.slice(0, 200));
  }
};

export const routerTests = (agent: Agent): Tests => ({
  'what is not listed runs through loom_op in the same turn, and what only reads or keeps is never asked for':
    async () => {
      const { requests, results, confirmations } = await agent.turn('Keep this link log and look into it', [
        [{ tool: 'mcp_loom_ctx_store', input: { text: log, title: 'link' } }],
        [op('help', { query: 'check facts' })],
        [op('ctx_check', { facts: ['2718 linked object 100566', 'no such line'] })],
        [op('loom_search', { query: 'linked object 100566' }), op('ctx_verify'), op('loom_activate')],
        // What VS Code's own check of a schema lets through.
        [{ tool: 'mcp_loom_ctx_get', input: { doc: 'd1' } }],
      ]);
      assert.deepEqual(loomTools(requests), core);
      assertResults(results, [
        /^d\d+ link\n/,
        /^\d+ tools?, best first .*\nctx_check \{facts: string\[\]/,
        /^2 facts: 0 in an anchor, 1 retrievable, 1 absent\n/,
        /^Drawer: 1 passage of .*\nd\d+ link\n\d+[>|]/,
        /^\d+ documents?, .*: no fault\n/,
        /^Loom keeps bulk out of the conversation/,
        /^Error INVALID_ARGUMENTS .*\n[^]*did you mean "id"\?\n[^]*example: ctx_get \{"id":"d1"\}$/,
      ]);
      assert.deepEqual(confirmations, []);
    },

  'what changes something, runs code or ends it is asked for; no router gets round that': async () => {
    // What a person allowed stays allowed in the next chat, too.
    await runCommand(agent.page, 'Chat: Reset Tool Confirmations');
    const { results, confirmations } = await agent.turn('Change, run and end things', [
      [opWrite('ctx_profile', { profile: 'balanced' })],
      [python('print(6 * 7)')],
      [{ tool: 'mcp_loom_reset_python', input: {} }],
    ]);
    assertResults(results, [/^The profile is now balanced/, /^In \[\d+\] completed, .*\n42/, /^restarted\n/]);
    for (const [n, title] of ['changes Loom', 'Run Python in the kernel', 'Restart the kernel'].entries())
      assert(confirmations[n]?.text.includes(title), JSON.stringify(confirmations));
    assert.equal(confirmations.length, 3);

    const refused = await agent.turn('Try to get round it', [
      [op('run_python', { code: 'print(1)' }), op('ctx_purge_session', { confirm: true })],
      [op('ctx_profile', { profile: 'strict' }), op('reset_python'), op('ctx_store_cmd', { command: 'ls' })],
    ]);
    assertResults(refused.results, [
      /^Error NOT_ROUTED .*Call run_python itself/,
      /^Error NOT_ROUTED .*runs under its own listed name only/,
      /^Error NOT_ROUTED .*loom_op_write \{"op":"ctx_profile"/,
      /^Error NOT_ROUTED .*Call reset_python itself/,
      /^Error NOT_ROUTED .*runs under its own listed name only/,
    ]);
    assert.deepEqual(refused.confirmations, []);

    // A person has allowed this router for the session by now.
    const written = await agent.turn('Try the other router', [
      [opWrite('run_python', { code: 'print(1)' })],
      [opWrite('ctx_purge_session', { confirm: true })],
    ]);
    assertResults(written.results, [/^Error NOT_ROUTED /, /^Error NOT_ROUTED /]);
    assert.deepEqual(written.confirmations, []);
  },
});
