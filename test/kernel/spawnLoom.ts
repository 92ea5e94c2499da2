// `loom mcp` in a process of its own, which a test may kill.
import { join } from 'node:path';
import { clientOfProgram, sources } from '../fixtures.ts';

/** Its workspace is `folder`, and its drawer lies in it. */
export const spawnLoom = async (folder: string) => {
  const env = {
    LOOM_DB: join(folder, 'drawer'),
    LOOM_KERNEL: 'plain',
    LOOM_LOG_LEVEL: 'ERROR',
    LOOM_MCP_TOOLSET: 'kernel',
  };
  const { pid, ...client } = await clientOfProgram(folder, env, sources);
  return { ...client, pid: pid as number };
};
