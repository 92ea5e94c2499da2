/** A program that has the drawer open, told over IPC what to do; for tests that kill, stop and race real processes. */
import { createHash } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { LoomError } from '#base/errors.ts';
import type { Fault } from '#storage/fault.ts';
import { openStore, type Store, type StoreOptions } from '#storage/store.ts';
import type { Keys, Sealing } from '#storage/types.ts';
import { extraRoom, notes, withMore } from './notes.ts';

/** At the `nth` time of `point`: end this process, stop it, or throw; with `share`, after so much of the record. */
export type Trouble = { point: string; nth?: number; share?: number; act: 'kill' | 'stop' | { throw: string } };
export type Setup = Pick<
  StoreOptions<never>,
  'checkpointBytes' | 'protocol' | 'machine' | 'format' | 'clientOnly' | 'openMs'
> & {
  keys?: Keys;
  trouble?: Trouble;
  tornChance?: number;
  witness?: boolean;
  /** A room that others do not have. */
  extra?: string;
  /** The file system has no hard links. */
  links?: 'none';
};

const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
};
const pause = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** An abstract socket belongs to one live process at a time, whatever the drawer's protocol believes. */
const witness = (folder: string): Fault => {
  const name = `\0loom-test-${createHash('md5').update(folder).digest('hex')}`;
  let held: Server | undefined;
  const hold = (): void => {
    // The kernel closes the sockets of a killed process one after the other.
    for (let attempt = 0; attempt < 20; attempt++) {
      const server = createServer().on('error', () => undefined);
      server.listen(name);
      if (server.listening) return void (held = server);
      pause(5);
    }
    process.send!({ violation: `two owners of ${folder}` });
  };
  return (point) => {
    if (point === 'verified') hold();
    if (point === 'before-release' || point === 'stepping-down') held?.close();
  };
};

const trouble = ({ point, nth = 1, share, act }: Trouble): Fault => {
  let count = 0;
  return (here, cut) => {
    if (here !== point || ++count !== nth) return;
    if (cut && share !== undefined) cut(share);
    if (act === 'kill') die();
    else if (act === 'stop') process.kill(process.pid, 'SIGSTOP');
    else throw Object.assign(new Error(`injected ${act.throw}`), { code: act.throw });
  };
};

const torn =
  (chance: number): Fault =>
  (point, cut) => {
    if (point !== 'append' || Math.random() >= chance) return;
    cut?.(Math.random());
    die();
  };

const withoutLinks: Fault = (point) => {
  if (point === 'publish-written') throw Object.assign(new Error('no hard links here'), { code: 'EPERM' });
};

let store: Store<typeof notes.operations> | undefined;
let changes = 0;
let stopped = false;

const commands = {
  open: async ({ folder, setup = {} }: { folder: string; setup?: Setup }) => {
    const faults: Fault[] = [
      ...(setup.witness === false ? [] : [witness(folder)]),
      ...(setup.links ? [withoutLinks] : []),
      ...(setup.trouble ? [trouble(setup.trouble)] : []),
      ...(setup.tornChance ? [torn(setup.tornChance)] : []),
    ];
    const { trouble: _t, tornChance: _c, witness: _w, links: _l, extra, keys, ...options } = setup;
    const room = extra === undefined ? undefined : extraRoom(extra);
    store = await openStore({
      folder,
      ...notes,
      ...options,
      ...(room && {
        operations: { ...notes.operations, ...room.operations },
        migrations: withMore([], room.tables),
      }),
      keys: () => keys ?? {},
      onChange: () => void changes++,
      fault: (point, cut) => {
        for (const fault of faults) fault(point, cut);
      },
    });
    return (await store.health()).role;
  },
  call: ({ name, args, options }: { name: never; args: never; options?: never }) => store!.call(name, args, options),
  health: () => store!.health(),
  checkpoint: () => store!.checkpoint(),
  seal: ({ sealing }: { sealing: Sealing }) => store!.seal(sealing),
  changes: () => changes,
  memory: () => process.memoryUsage().rss,
  /** Adds notes until told to stop; each that was acknowledged is a line of the file `acks`. */
  write: async ({
    writer,
    acks,
    bytes = 2_000,
    gap = 0,
  }: {
    writer: string;
    acks: string;
    bytes?: number;
    gap?: number;
  }) => {
    const file = openSync(acks, 'a');
    const latencies: number[] = [];
    for (let n = 1; !stopped; n++) {
      const start = performance.now();
      const body = new Uint8Array(bytes).fill(n);
      const { count } = await store!.call('add', { writer, n, body, text: `note${n} of ${writer}` });
      writeSync(file, `${writer} ${n}\n`);
      latencies.push(performance.now() - start);
      if (count !== n) process.send!({ violation: `${writer}: ${n} acknowledged, ${count} counted` });
      if (gap > 0) await new Promise((resolve) => setTimeout(resolve, gap));
    }
    return latencies;
  },
  stop: () => {
    stopped = true;
  },
  close: async () => {
    await store!.close();
  },
};
export type Commands = typeof commands;

process.on('message', async ({ id, command, args }: { id: number; command: keyof Commands; args: never }) => {
  try {
    process.send!({ id, value: await (commands[command] as (args: never) => unknown)(args) });
  } catch (error) {
    const { code, message } = error instanceof LoomError ? error : { code: 'THROWN', message: String(error) };
    process.send!({ id, error: { code, message } });
  }
});
process.on('disconnect', () => process.exit(0));
process.send!({ up: true });
