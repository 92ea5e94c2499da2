// What is done with records of executions where the drawer is owned.
import { read, write } from '#base/operation.ts';
import type { Tx } from '#base/tx.ts';
import type {
  BeginExecution,
  ExecutionInfo,
  ExecutionRow,
  ExecutionsArgs,
  Host,
  Kept,
  Purge,
  StoredExecution,
} from '#kernel/types.ts';

/** A record with who ran it, as it is stored: it says `running` also of a cell whose process is gone. */
export type Hosted<E> = E & Host;

type HostColumns = { host: string; pid: number; started: string | null };
type Columns = HostColumns & {
  session: string;
  info: string;
  entries: string | null;
  file: string | null;
  bytes: number;
  goneAt: number | null;
  key: Uint8Array;
};

const columns = 'session, info, host, pid, started, entries, file, bytes, gone_at as goneAt, key';
const hostOf = ({ host, pid, started }: HostColumns): Host => ({ host, pid, started: started ?? undefined });

const stored = (row: Columns): Hosted<StoredExecution> => ({
  ...hostOf(row),
  session: row.session,
  info: JSON.parse(row.info) as ExecutionInfo,
  entries: row.entries ?? undefined,
  file: row.file ?? undefined,
  bytes: row.bytes,
  key: row.key,
  goneAt: row.goneAt ?? undefined,
});

/** Cells whose host is gone, with the size of the file that they left. */
export type Ended = { session: string; execution: number; host: string; lost: string; cause: string; bytes: number }[];

const running = `json_extract(info, '$.status') = 'running'`;

const settle = (tx: Tx, { ended }: { ended: Ended }): void => {
  for (const { session, execution, host, bytes, ...more } of ended)
    tx.run(
      `update execution set bytes = ?, info = json_patch(info, ?) where session = ? and number = ? and host = ? and ${running}`,
      [bytes, JSON.stringify({ status: 'killed', ...more }), session, execution, host],
    );
};

export const kernelOperations = {
  /** Takes the next number of a session. Numbers are never used again: the counter outlives its records. */
  'kernel.begin': write((tx, { session, host, pid, started, key, file, info }: BeginExecution): number => {
    tx.run('insert into execution_counter values (?, 1) on conflict (session) do update set last = last + 1', [
      session,
    ]);
    const { last } = tx.get<{ last: number }>('select last from execution_counter where session = ?', [session]) ?? {
      last: 0,
    };
    tx.run(
      `insert into execution (session, number, info, host, pid, started, key, file, bytes)
        values (?, ?, ?, ?, ?, ?, ?, ?, 0)`,
      [session, last, JSON.stringify({ ...info, execution: last }), host, pid, started ?? null, key, file],
    );
    return last;
  }),
  /** The state of an execution at its end, or after late output. False where it was purged, or made room for others. */
  'kernel.keep': write((tx, { session, info, entries, bytes }: Kept): boolean => {
    const changed = tx.run(
      'update execution set info = ?, entries = ?, bytes = ? where session = ? and number = ? and gone_at is null',
      [JSON.stringify(info), entries ?? null, bytes, session, info.execution],
    );
    return changed > 0;
  }),
  /** One execution, or the session's latest. */
  'kernel.execution': read((tx, { session, execution }: { session: string; execution?: number | undefined }) => {
    const row =
      execution === undefined
        ? tx.get<Columns>(`select ${columns} from execution where session = ? order by number desc limit 1`, [session])
        : tx.get<Columns>(`select ${columns} from execution where session = ? and number = ?`, [session, execution]);
    return row && stored(row);
  }),
  'kernel.executions': read(
    (tx, { session, offset, limit }: ExecutionsArgs): { rows: Hosted<ExecutionRow>[]; total: number } => {
      const own = '(?1 is null or session = ?1)';
      const count = tx.get<{ total: number }>(`select count(*) as total from execution where ${own}`, [
        session ?? null,
      ]);
      const rows = tx.all<Columns>(
        `select session, info, host, pid, started, gone_at as goneAt,
          bytes + coalesce(length(cast(entries as blob)), 0) as bytes
          from execution where ${own} order by rowid desc limit ?2 offset ?3`,
        [session ?? null, limit, offset],
      );
      return {
        total: count?.total ?? 0,
        rows: rows.map((row) => ({
          ...(JSON.parse(row.info) as ExecutionInfo),
          ...hostOf(row),
          session: row.session,
          bytes: row.bytes,
          goneAt: row.goneAt ?? undefined,
        })),
      };
    },
  ),
  /** Every purge of a session, the first one first. */
  'kernel.purges': read((tx, { session }: { session: string }) =>
    tx.all<Purge>('select last, at from execution_purge where session = ? order by last', [session]),
  ),
  /**
   * The files that records name, and what their records say of cells that run. It changes nothing, and is a write because
   * only an owner's word counts: what a view of a damaged drawer does not show is there nonetheless.
   */
  'kernel.files': write((tx: Tx) => ({
    files: tx.all<{ file: string }>('select file from execution where file is not null').map(({ file }) => file),
    running: tx.all<Columns>(`select ${columns} from execution where ${running}`).map(stored),
  })),
  /** Marks cells as killed whose host is gone. */
  'kernel.settle': write(settle),
  /** Takes the oldest outputs out until at most `most` bytes are left in files; answers the files' names. */
  'kernel.drop': write((tx, { most, now }: { most: number; now: number }): string[] => {
    const rows = tx.all<{ session: string; number: number; file: string; bytes: number }>(
      // Nothing is known of the file of a cell that runs.
      'select session, number, file, bytes from execution where file is not null and bytes > 0 order by rowid desc',
    );
    let sum = 0;
    const over = rows.filter(({ bytes }) => (sum += bytes) > most);
    for (const { session, number } of over)
      tx.run(
        `update execution set file = null, entries = null, bytes = 0, gone_at = ? where session = ? and number = ?`,
        [now, session, number],
      );
    return over.map(({ file }) => file);
  }),
};
