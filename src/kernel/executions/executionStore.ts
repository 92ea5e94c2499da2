// The executions of every session in the drawer: their schema, their operations, and what the kernel's worker asks of them.
import { read, write, type Call, type Data } from '#base/operation.ts';
import type { Migration } from '#base/tx.ts';
import type {
  AskedOutput,
  BeginExecution,
  ExecutionInfo,
  ExecutionStore,
  Kept,
  StoredExecution,
} from '#kernel/types.ts';

type Row = {
  session: string;
  info: string;
  host: string;
  pid: number;
  entries: string | null;
  file: string | null;
  bytes: number;
  gone_at: number | null;
  key: Uint8Array;
};

const stored = (row: Row): StoredExecution => ({
  session: row.session,
  info: JSON.parse(row.info) as ExecutionInfo,
  host: row.host,
  pid: row.pid,
  entries: row.entries ?? undefined,
  file: row.file ?? undefined,
  bytes: row.bytes,
  key: row.key,
  goneAt: row.gone_at ?? undefined,
});

export const kernelOperations = {
  /** Takes the next number of a session. Numbers are never used again: the counter outlives its records. */
  'kernel.begin': write((tx, { session, host, pid, key, info }: BeginExecution): number => {
    tx.run('insert into execution_counter values (?, 1) on conflict (session) do update set last = last + 1', [
      session,
    ]);
    const { last } = tx.get<{ last: number }>('select last from execution_counter where session = ?', [session]) ?? {
      last: 0,
    };
    const json = JSON.stringify({ ...info, execution: last });
    tx.run('insert into execution values (?, ?, ?, ?, ?, null, null, 0, null, ?)', [
      session,
      last,
      json,
      host,
      pid,
      key,
    ]);
    return last;
  }),
  /** The state of an execution at its end, or after late output. */
  'kernel.keep': write((tx, args: Kept): void => {
    const { session, info, entries, file, bytes } = args;
    tx.run('update execution set info = ?, entries = ?, file = ?, bytes = ? where session = ? and number = ?', [
      JSON.stringify(info),
      entries ?? null,
      file ?? null,
      bytes,
      session,
      info.execution,
    ]);
  }),
  /** One execution, or the session's latest. */
  'kernel.execution': read((tx, { session, execution }: { session: string; execution?: number | undefined }) => {
    const row =
      execution === undefined
        ? tx.get<Row>('select * from execution where session = ? order by number desc limit 1', [session])
        : tx.get<Row>('select * from execution where session = ? and number = ?', [session, execution]);
    return row && stored(row);
  }),
  /** Takes the oldest outputs out until at most `most` bytes are left in files; answers the files' names. */
  'kernel.drop': write((tx, { most, now }: { most: number; now: number }): string[] => {
    const rows = tx.all<{ session: string; number: number; file: string; bytes: number }>(
      'select session, number, file, bytes from execution where file is not null order by rowid desc',
    );
    let sum = 0;
    const over = rows.filter(({ bytes }) => (sum += bytes) > most);
    for (const { session, number } of over)
      tx.run('update execution set file = null, bytes = 0, gone_at = ? where session = ? and number = ?', [
        now,
        session,
        number,
      ]);
    return over.map(({ file }) => file);
  }),
};

export const kernelMigrations: readonly Migration[] = [
  {
    name: 'kernel: executions',
    up: (tx) => {
      tx.run('create table execution_counter (session text primary key, last integer not null)');
      tx.run(`create table execution (
        session text not null, number integer not null, info text not null, host text not null, pid integer not null,
        entries text, file text, bytes integer not null, gone_at integer, primary key (session, number))`);
    },
  },
  {
    name: 'kernel: keys of outputs',
    up: (tx) => {
      tx.run('alter table execution add column key blob');
    },
  },
];

export type BillOutput = (output: AskedOutput) => Promise<Data>;

type Others = {
  /** Stores a text in the drawer as a document. */
  index: (document: { session: string; title: string; text: string }) => Promise<void>;
  bill: BillOutput;
};

export const createExecutionStore = (call: Call<typeof kernelOperations>, { index, bill }: Others): ExecutionStore => ({
  beginExecution: (args) => call('kernel.begin', args),
  keepExecution: async ({ asked, ...args }) => call('kernel.keep', { ...args, entry: asked && (await bill(asked)) }),
  indexExecution: ({ session, execution, text }) => index({ session, title: `In [${execution}] output`, text }),
  execution: (args) => call('kernel.execution', args),
  dropExecutions: (args) => call('kernel.drop', args),
});
