import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Profile } from '#scripts/codeServer.ts';
import type { Scope } from '#scripts/scope.ts';
import { unfenced } from '#drawer/tools/fenced.ts';
import { idIn, startAgent, type Agent } from './agent/agent.ts';
import { testsInPage } from './inPage.ts';
import type { Result } from './report.ts';
import { routerTests } from './routers.ts';
import type { Tests } from './runTests.ts';
import { statusBarTests } from './statusBar.ts';
import { truthTests } from './truth.ts';

const text = Array.from({ length: 3_000 }, (_, n) => `${n} compiled module ${n * 31}\n`).join('');

const agentTests = (agent: Agent): Tests => ({
  'a turn stores and reads back through Loom, unasked, and the model gets every word': async () => {
    const { requests, results, confirmations } = await agent.turn('Keep this build log', [
      [{ tool: 'mcp_loom_ctx_store', input: { text, title: 'build' } }],
      (before) => [{ tool: 'mcp_loom_ctx_get', input: { id: idIn(before.at(-1)) } }],
    ]);
    assert.equal(requests.length, 3);
    const [anchor, page] = results;
    assert.deepEqual(confirmations, []);
    // A longer one would have been replaced by the name of a file.
    assert(idIn(anchor) && page && text.startsWith(unfenced(page).text), page?.slice(0, 200));
  },
});

/** The tests that see Loom as Copilot's agent does: the VSIX in `profile`, a scripted model. */
export const inAgentMode = async (scope: Scope, profile: Profile): Promise<Result[]> => {
  const folder = scope.folder('workspace');
  const agent = await startAgent(scope, folder, profile);
  const drawer = join(profile.data, 'User/globalStorage/loom.loom/drawer');
  const truth = truthTests(scope, { agent, drawer, folder });
  return testsInPage(agent.page, agent.newChat, {
    ...agentTests(agent),
    ...routerTests(agent),
    ...truth,
    ...statusBarTests(agent),
  });
};
