import { statSync } from 'node:fs';
import { join } from 'node:path';
import { compare, pause, Program, type Verdict } from './harness.ts';

export type Hammered = Verdict & { kills: number; owners: number; torn: number; opened: number; seconds: number };

const writers = 4;

/**
 * Four programs write to the drawer in `folder` and are killed at random moments, the owner more often than the others,
 * some of them in the middle of a record; each is replaced at once. Then the drawer is compared with what they were told.
 */
export const hammer = async (folder: string, kills: number, acksIn: string): Promise<Hammered> => {
  const start = Date.now();
  const done = { kills: 0, owners: 0, torn: 0, opened: 0 };
  const acks: string[] = [];
  const slots: Program[] = [];
  let running = true;
  let aimed: Program | undefined;

  const employ = async (slot: number): Promise<void> => {
    const program = new Program();
    slots[slot] = program;
    void program.gone.then(() => {
      if (!running) return undefined;
      if (program === aimed) aimed = undefined;
      else done.torn++;
      return employ(slot);
    });
    try {
      await program.up;
      await program.open(folder, { checkpointBytes: 200_000, tornChance: 0.01 });
      done.opened++;
      const writer = `w${slot}.${acks.length}`;
      const file = join(acksIn, writer);
      acks.push(file);
      await program.tell('write', { writer, acks: file, gap: 1 });
    } catch (error) {
      if ((error as { code?: string }).code !== 'GONE') throw error;
    }
  };
  const failures: unknown[] = [];
  for (let slot = 0; slot < writers; slot++) employ(slot).catch((error: unknown) => failures.push(error));

  const roleOf = (program: Program): Promise<unknown> =>
    Promise.race([
      program.tell('health').then(
        ({ role }) => role,
        () => undefined,
      ),
      pause(500),
    ]);
  const owner = async (): Promise<Program | undefined> => {
    const programs = [...slots];
    const roles = await Promise.all(programs.map(roleOf));
    return programs[roles.indexOf('owner')];
  };
  const acknowledged = (): number =>
    acks.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 8, 0);
  /** Waits for about `count` more acknowledgements, or a little while: a kill may also hit an election. */
  const more = async (count: number): Promise<void> => {
    const from = acknowledged();
    for (const end = Date.now() + 3_000; Date.now() < end && acknowledged() - from < count;) await pause(5);
  };
  while (done.kills + done.torn < kills) {
    await more(Math.random() * 30);
    const target = Math.random() < 0.6 ? await owner() : undefined;
    const victim = target ?? slots[Math.floor(Math.random() * writers)]!;
    if (failures.length > 0) throw failures[0];
    aimed = victim;
    done.kills++;
    if (target) done.owners++;
    await victim.kill();
  }
  running = false;
  await Promise.all(slots.map((program) => program.kill()));
  if (failures.length > 0) throw failures[0];
  const verdict = await compare(folder, acks);
  return { ...done, ...verdict, seconds: Math.round((Date.now() - start) / 1000) };
};
