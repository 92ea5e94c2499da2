import { expect, test } from 'vitest';
import { namedFor } from '#mcp/listing/naming.ts';
import { helpFor } from '#mcp/listing/help.ts';
import { listingFor } from '../fixtures.ts';

const core = listingFor('core');
const kernel = listingFor('kernel');
const readonly = listingFor('readonly');
const untrusted = listingFor('core', { trusted: false });

test.each([
  ['a listed tool', core, 'ctx_get {"id":"d7"} reads it', 'ctx_get {"id":"d7"} reads it'],
  [
    'a call of another',
    core,
    'wait_python {"execution":7} waits',
    'loom_op {"op":"wait_python","arguments":{"execution":7}} waits',
  ],
  ['the same where it is listed', kernel, 'wait_python {"execution":7} waits', 'wait_python {"execution":7} waits'],
  [
    'a call that changes something',
    core,
    'ctx_transfer {"ids":["d7"]}.',
    'loom_op_write {"op":"ctx_transfer","arguments":{"ids":["d7"]}}.',
  ],
  [
    'braces and quotes in a call',
    core,
    'ctx_check {"facts":["a } \\" {","b"]}!',
    'loom_op {"op":"ctx_check","arguments":{"facts":["a } \\" {","b"]}}!',
  ],
  ['a name alone, once', core, 'ctx_check or ctx_check', 'ctx_check (by loom_op) or ctx_check'],
  ['a name in brackets', core, 'not facts (ctx_check)', 'not facts (ctx_check, by loom_op)'],
  [
    'what is not to be had',
    core,
    'ctx_purge_session {"confirm":true}',
    'ctx_purge_session {"confirm":true} (not offered here)',
  ],
  ['what only reads here', readonly, 'run_python or ctx_get', 'run_python (not offered here) or ctx_get'],
  [
    'what nobody trusted',
    untrusted,
    'ctx_profile, ctx_stats',
    'ctx_profile (not offered here), ctx_stats (by loom_op)',
  ],
  ['a longer name', core, 'ctx_store_file, not ctx_store', 'ctx_store_file, not ctx_store'],
  ['a part of a word', core, 'my_ctx_check ctx_checked', 'my_ctx_check ctx_checked'],
  [
    'a call that is routed already',
    core,
    'loom_op {"op":"wait_python","arguments":{}}',
    'loom_op {"op":"wait_python","arguments":{}}',
  ],
  [
    'a word that is a tool too',
    core,
    'the ledger: ledger {"view":"entries"}',
    'the ledger: loom_op {"op":"ledger","arguments":{"view":"entries"}}',
  ],
  ['half a call', core, 'wait_python {"execution', 'wait_python (by loom_op) {"execution'],
])('%s', (_, on, words, expected) => expect(namedFor(on, words)).toBe(expected));

test('help shows what fits, how it is called here, and at most 15', () => {
  const lines = helpFor(core, 'wait for a running cell').split('\n');
  expect(lines[1]).toBe(
    'wait_python {execution?: integer, timeout_seconds?: number}: Use when run_python said that the cell is still running',
  );
  expect(lines.length).toBeLessThanOrEqual(16);
  expect(helpFor(core, 'delete a session')).toMatch(
    /\nctx_purge_session .* \[not offered here: effect destructive, toolset drawer, all\]: /,
  );
  expect(helpFor(untrusted, 'copy to another session')).toMatch(
    /\nctx_transfer .* \[not offered here: effect write, and this connection only reads, as nobody has trusted the workspace\]: /,
  );
  expect(helpFor(core, 'copy to another session')).toMatch(
    /\nctx_transfer \{ids: string\[\], .*\} \[by loom_op_write\]: /,
  );
  expect(helpFor(core, 'read stored bytes')).toMatch(/\nctx_get \[listed\]: /);
  expect(helpFor(core, 'zxqv')).toMatch(/^No tool matches "zxqv"/);
  expect(helpFor(core, '').split('\n')).toHaveLength(16);
});
