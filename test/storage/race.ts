import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { linkFile } from '#storage/file/layout.ts';
import { thisMachine } from '#storage/machine/machine.ts';
import { Program, violations } from './harness.ts';

/** `count` programs open a new folder at the same instant and write, `times` times; in every other there was a dead owner. */
export const startTogether = async (count: number, times: number, parent: string): Promise<void> => {
  const programs = await Program.start(count);
  for (let round = 0; round < times; round++) {
    const folder = join(parent, String(round));
    mkdirSync(folder);
    if (round % 2 === 1) {
      const gone = { nonce: 'n', owner: 'gone', address: 's.gone', secret: 's', protocol: [1, 1], format: 1, app: '' };
      writeFileSync(linkFile(folder, 5), JSON.stringify({ ...gone, ...thisMachine() }));
    }
    const roles = await Promise.all(
      programs.map(async (program, i) => {
        const role = await program.open(folder);
        await program.tell('call', { name: 'add' as never, args: { writer: `p${i}`, n: 1 } as never });
        return role;
      }),
    );
    expect(roles.filter((role) => role === 'owner')).toHaveLength(1);
    expect(await programs[0]!.tell('call', { name: 'count' as never, args: undefined as never })).toBe(count);
    await Promise.all(programs.map((program) => program.tell('close')));
    expect(violations).toEqual([]);
  }
};
