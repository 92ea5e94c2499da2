import assert from 'node:assert/strict';
import type { Agent } from './agent/agent.ts';
import type { Tests } from './runTests.ts';

/** What the status bar says of the turns that `agent` has made, and of one more. */
export const statusBarTests = ({ page, turn }: Agent): Tests => ({
  'the status bar shows the net of this window, and moves with a call': async () => {
    const item = page.locator('.statusbar-item[id="loom.loom.loom.net"]');
    await item.getByText(/Loom [+−]?[\d,]+ (%|tokens)/).waitFor();
    const before = await item.innerText();
    const text = Array.from({ length: 2_000 }, (_, n) => `${n} linked object ${n * 17}\n`).join('');
    await turn('Keep the linker’s log', [[{ tool: 'mcp_loom_ctx_store', input: { text, title: 'linker' } }]]);
    await item.filter({ hasNotText: before }).waitFor();
    await item.hover();
    const table = page.locator('.monaco-hover:visible table');
    await table.waitFor();
    const rows = await table.locator('tr').allInnerTexts();
    const amount = (name: string): number => {
      const row = rows.find((each) => each.startsWith(name));
      assert(row, `${name} is not in ${rows.join(' | ')}`);
      return Number(
        row
          .replace(/^.*?([+−]?[\d,]+)$/s, '$1')
          .replaceAll(',', '')
          .replace('−', '-'),
      );
    };
    const parts = ['Kept out of the prompt', 'Listing', 'Calls', 'Answers'].map(amount);
    assert.equal(
      amount('Net'),
      parts.reduce((sum, part) => sum + part, 0),
    );
  },
});
