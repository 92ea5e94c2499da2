/** Killed at any step: what was acknowledged is there once, and the others go on. */
import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { compare, open, Program, scratch, sound, until } from './harness.ts';
import type { Trouble } from './program.ts';

const points: (Omit<Trouble, 'act'> & { links?: 'none' })[] = [
  { point: 'before-bind' },
  { point: 'bound' },
  { point: 'publish-written' },
  { point: 'publish-linked' },
  { point: 'publish-created', links: 'none' },
  { point: 'published' },
  { point: 'verified' },
  { point: 'recover-listed' },
  { point: 'recover-replayed' },
  { point: 'recovered' },
  { point: 'ready' },
  { point: 'log-written' },
  { point: 'log-renamed' },
  { point: 'append', share: 0 },
  { point: 'append', share: 0.3 },
  { point: 'append', nth: 5, share: 0.99 },
  { point: 'appended' },
  { point: 'synced' },
  { point: 'fence-passed', nth: 8 },
  { point: 'checkpoint-begin' },
  { point: 'publish-written', nth: 2 },
  { point: 'publish-linked', nth: 2 },
  { point: 'publish-created', nth: 2, links: 'none' },
  { point: 'checkpoint-rotated' },
  { point: 'checkpoint-exported' },
  { point: 'snapshot-piece' },
  { point: 'snapshot-synced' },
  { point: 'snapshot-before-rename' },
  { point: 'snapshot-renamed' },
  { point: 'checkpoint-before-tidying' },
  // The second checkpoint is the first that has something to tidy.
  { point: 'checkpoint-tidied-one' },
  { point: 'checkpoint-tidied' },
  { point: 'before-release' },
  { point: 'released' },
];

/** A folder whose owner died: its link and its journal are there, its socket is not. */
const orphan = async (): Promise<string> => {
  const folder = scratch();
  const living = await open(folder);
  for (let n = 1; n <= 3; n++) await living.call('add', { writer: 'before', n });
  const copy = join(scratch(), 'copy');
  cpSync(folder, copy, { recursive: true, filter: (name) => !basename(name).startsWith('s.') });
  return copy;
};

test.each(points)('$point $nth $share $links', async ({ links, ...trouble }) => {
  const folder = await orphan();
  const acks = join(scratch(), 'acks');
  const [victim] = await Program.start(1);
  const opened = await victim!
    .open(folder, { trouble: { ...trouble, act: 'kill' }, ...(links && { links }) })
    .catch(() => undefined);
  const survivor = await open(folder);
  let n = 0;
  const add = () => survivor.call('add', { writer: 'survivor', n: ++n, text: 'goes on' });
  if (opened) {
    expect((await survivor.health()).role).toBe('client');
    let alive = true;
    void victim!.gone.then(() => (alive = false));
    const lead = async (): Promise<void> => {
      const writing = victim!.tell('write', { writer: 'victim', acks });
      writing.catch(() => undefined);
      await until(() => n > 3 || !alive, 'writes of the survivor');
      for (let i = 0; i < 3 && alive; i++) await victim!.tell('checkpoint');
      await victim!.tell('stop');
      await writing;
      await victim!.tell('close');
    };
    lead().catch(() => undefined);
    while (alive) expect(await add()).toEqual({ count: n });
  }
  expect(await victim!.gone).toBe('SIGKILL');
  for (let i = 0; i < 3; i++) expect(await add()).toEqual({ count: n });
  await survivor.checkpoint();
  await survivor.close();
  expect(await compare(folder, [acks])).toMatchObject(sound);
});
