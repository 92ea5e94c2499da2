import type { HostDeps } from '#base/room.ts';
import type { ExecutionRow, KernelChoice } from '#kernel/types.ts';
import { kernelHost, type KernelLimits } from '#kernel/host.ts';
import { openLoom, remove, scratch, type TestClient } from '../fixtures.ts';

/** A client of the kernel's tools over MCP, with a workspace and a drawer of its own. */
export type Python = Pick<TestClient, 'client' | 'call' | 'ask'> & {
  workspace: string;
  drawer: string;
  /** The whole text of a stream, as the kernel's own service gives it. */
  whole: (execution?: number) => Promise<string>;
  /** Cells as the panel lists them, the latest first. */
  list: () => Promise<ExecutionRow[]>;
  /** The text of a cell's answer. */
  run: (code: string, args?: object) => Promise<string>;
  /** The same client after its window was closed and opened again. */
  reload: () => Promise<void>;
  close: () => Promise<void>;
};

export type OpenKernel = Partial<KernelChoice> & { limits?: Partial<KernelLimits>; trusted?: () => boolean };

export const openKernel = async ({ limits, trusted, ...interpreter }: OpenKernel = {}): Promise<Python> => {
  const [workspace, drawer] = [scratch(), scratch()];
  const open = async () => {
    const loom = openLoom({
      workspace,
      drawer,
      interpreter,
      ...(limits && { replace: { kernel: { host: (deps: HostDeps<'settings'>) => kernelHost(deps, limits) } } }),
      ...(trusted && { trusted }),
    });
    return { loom, ...(await loom.connect('kernel')) };
  };
  let now = await open();
  const python: Python = {
    workspace,
    drawer,
    client: now.client,
    call: (...args) => now.call(...args),
    ask: (...args) => now.ask(...args),
    whole: async (execution) => {
      const { drawer: sessions, kernel } = now.loom.services;
      const session = await sessions.session({ client: 'test', root: workspace });
      return (await kernel.readOutput({ session, execution, stream: 'combined', units: 2 ** 28 })).text;
    },
    list: async () => (await now.loom.services.kernel.executions({ offset: 0, limit: 100 })).rows,
    // A busy machine is no fault of a cell.
    run: (code, args) => python.ask('run_python', { code, timeout_seconds: 60, ...args }),
    reload: async () => {
      await now.loom.end();
      now = await open();
      python.client = now.client;
    },
    close: async () => {
      await now.loom.close();
      remove(workspace, drawer);
    },
  };
  return python;
};
