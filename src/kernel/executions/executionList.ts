import { read, type Call } from '#base/operation.ts';
import { isAlive } from '#base/alive.ts';
import type { ExecutionInfo, ExecutionList, ExecutionRow, ExecutionsArgs } from '#kernel/types.ts';

type Row = { session: string; info: string; pid: number; bytes: number; goneAt: number | null };
type Found = { row: ExecutionRow; pid: number };

export const executionListOperations = {
  'kernel.executions': read((tx, { session, offset, limit }: ExecutionsArgs): { rows: Found[]; total: number } => {
    const own = '(?1 is null or session = ?1)';
    const count = tx.get<{ total: number }>(`select count(*) as total from execution where ${own}`, [session ?? null]);
    const rows = tx.all<Row>(
      `select session, info, pid, bytes, gone_at as goneAt from execution where ${own}
        order by rowid desc limit ?2 offset ?3`,
      [session ?? null, limit, offset],
    );
    return {
      total: count?.total ?? 0,
      rows: rows.map((row) => ({
        pid: row.pid,
        row: {
          ...(JSON.parse(row.info) as ExecutionInfo),
          session: row.session,
          bytes: row.bytes,
          goneAt: row.goneAt ?? undefined,
        },
      })),
    };
  }),
};

/** A cell whose process is gone does not run any more, whatever its record says. */
const asItIs = ({ row, pid }: Found): ExecutionRow =>
  row.status === 'running' && !isAlive(pid)
    ? { ...row, status: 'killed', cause: 'the Loom process that ran it ended' }
    : row;

export const createExecutionList = (call: Call<typeof executionListOperations>): ExecutionList => ({
  executions: async (args) => {
    const { rows, total } = await call('kernel.executions', args);
    return { rows: rows.map(asItIs), total };
  },
});
