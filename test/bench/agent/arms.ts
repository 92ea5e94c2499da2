import { join } from 'node:path';
import { silentLog } from '#base/log.ts';
import type { Report } from '#ledger/types.ts';
import type { Profile } from '#scripts/codeServer.ts';
import { scoped } from '#scripts/scope.ts';
import { startAgent } from '../../vscode/agent/agent.ts';
import { bundles, openLoom } from '../../fixtures.ts';
import type { Request } from '../../vscode/agent/model.ts';
import { closeTerminals, converse, type Conversation } from './conversation.ts';
import type { Policy } from './policy.ts';
import type { Task } from './tasks.ts';

export type Arm = { name: string; policy: Policy; tasks: readonly Task[] };

/** What was measured, by arm and task. */
export type Results = Record<string, Record<string, Conversation>>;

/** Told of each conversation as it ends. */
export type Watch = (arm: string, task: string, conversation: Conversation, requests: readonly Request[]) => void;

/** The arms one after the other in one VS Code over `profile`, each task in a chat of its own. */
export const runArms = (arms: readonly Arm[], folder: string, profile: Partial<Profile>, watch: Watch): Promise<void> =>
  scoped(async (scope) => {
    if (arms.every(({ tasks }) => tasks.length === 0)) return;
    const agent = await startAgent(scope, folder, profile);
    for (const { name, policy, tasks } of arms)
      for (const task of tasks) {
        const { conversation, requests } = await converse(agent, policy, task.questions, folder);
        if (conversation.tools.includes('run_in_terminal')) await closeTerminals(agent);
        watch(name, task.name, conversation, requests);
      }
  });

/** What Loom's ledger in `profile` says about each conversation. */
export const readLedger = async (
  { data }: Profile,
  conversations: Readonly<Record<string, Conversation>>,
): Promise<Map<string, Report>> => {
  const drawer = join(data, 'User/globalStorage/loom.loom/drawer');
  const loom = openLoom({ programs: bundles, workspace: data, drawer, log: silentLog });
  const reports = new Map<string, Report>();
  for (const [task, { id }] of Object.entries(conversations))
    if (id !== undefined) reports.set(task, await loom.services.ledger.report({ conversation: id }));
  await loom.end();
  return reports;
};
