/** One byte of a drawer of 50 documents is flipped, and everything that Loom then gives back and says is looked at. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { LoomError } from '#base/errors.ts';
import { mendDocuments } from '#drawer/documents/mend.ts';
import { readWhole } from '#drawer/documents/readWhole.ts';
import { createDrawer } from '#drawer/drawer.ts';
import { documentId } from '#drawer/ids.ts';
import { lookAtIndex } from '#drawer/index/fullText.ts';
import { drawerFunctions } from '#drawer/index/functions.ts';
import { drawerOperations, type DrawerOperations } from '#drawer/operations.ts';
import { drawerMigrations } from '#drawer/schema.ts';
import { diagnose } from '#storage/folder/doctor.ts';
import { repair } from '#storage/folder/repair.ts';
import { newSecret } from '#storage/sealing/keySlots.ts';
import { openStore, type Store } from '#storage/store.ts';
import type { Finding, Keys } from '#storage/types.ts';
import { control, quarter } from '../drawer/rig.ts';
import { random, type Random } from '../drawer/random.ts';

export const documents = 50;

/**
 * `living`: killed with half of it in a snapshot. `rewritten`: closed after a vacuum. `alone`: that, with one file left of it,
 * as earlier programs left it.
 */
export type Shape = 'living' | 'rewritten' | 'alone';

type Drawer = Store<DrawerOperations>;
type Made = { folder: string; keys: Keys; contents: Buffer[] };

const migrations = [{ room: 'drawer', migrations: drawerMigrations }];
const inFile = { migrations, functions: drawerFunctions, mend: mendDocuments, look: lookAtIndex };
const scratch = (): string => mkdtempSync(join(tmpdir(), 'loom-flip-'));

const open = (folder: string, keys: Keys): Promise<Drawer> =>
  openStore({
    folder,
    operations: drawerOperations,
    migrations,
    functions: drawerFunctions,
    mend: mendDocuments,
    keys: () => keys,
  });

const words = ['request', 'served', 'timeout', 'retry', 'ERROR', 'connection', 'refused', 'ok', 'user', 'payment'];

/** Most of them small, so that many share a page; some over several blocks. */
const contentOf = ({ below, pick }: Random, n: number): Buffer => {
  const lines = n % 17 === 16 ? 3_000 + below(1_000) : 3 + below(n % 5 === 4 ? 400 : 30);
  const line = (_: unknown, i: number): string =>
    `${i} doc ${n} ${pick(words)} ${below(1e9)} ${pick(words)} ${pick(words)}\n`;
  return Buffer.from(Array.from({ length: lines }, line).join(''));
};

/** A drawer in a folder of its own, as a kill or a close leaves it. */
export const makeDrawer = async (shape: Shape, sealed: boolean): Promise<Made> => {
  const [work, folder] = [scratch(), scratch()];
  const keys: Keys = sealed ? { secret: newSecret() } : {};
  const chance = random(4711);
  const contents = Array.from({ length: documents }, (_, n) => contentOf(chance, n));
  const store = await open(work, keys);
  if (keys.secret !== undefined) await store.seal({ kind: 'secretStorage', secret: keys.secret });
  const drawer = createDrawer({
    call: store.call,
    count: quarter,
    counter: 'quarter',
    log: quiet,
    compact: store.compact,
  });
  const session = await drawer.session({ client: 'flip', root: '/flip' });
  for (const [n, bytes] of contents.entries()) {
    await drawer.store({ session, bytes, title: `doc ${n + 1}`, source: { kind: 'text' }, always: true }, control());
    if (shape === 'living' && (n === 14 || n === 34)) await store.checkpoint();
  }
  if (shape !== 'living') {
    await drawer.vacuum({});
    await store.close();
  }
  cpSync(work, folder, { recursive: true, filter: (name) => !basename(name).startsWith('s.') });
  if (shape === 'living') await store.close();
  if (shape === 'alone') for (const name of readdirSync(folder)) if (name.endsWith('.copy')) rmSync(join(folder, name));
  rmSync(work, { recursive: true });
  return { folder, keys, contents };
};

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export type Figures = { positions: number; hurt: number; mostLost: number; meanLost: number; wrong: string[] };

/** What the documents of a drawer answer: those that are not as they were stored, with what is said of them. */
const look = async (
  store: Drawer,
  contents: readonly Buffer[],
): Promise<{ lost: Map<string, string>; wrong: string[] }> => {
  const lost = new Map<string, string>();
  const wrong: string[] = [];
  for (const [n, content] of contents.entries()) {
    const id = documentId(n + 1);
    try {
      const { bytes } = await readWhole(store.call, { document: n + 1, chunk: undefined });
      if (!bytes.equals(content)) wrong.push(`${id} comes back changed`);
    } catch (error) {
      lost.set(id, error instanceof LoomError ? error.message : `no LoomError: ${String(error)}`);
    }
  }
  return { lost, wrong };
};

const says = (texts: readonly string[], pattern: RegExp): boolean => texts.some((text) => pattern.test(text));

/** Not even SQLite's own list of tables is left. */
const isNothing = (missing: readonly string[]): boolean => says(missing, /^Writes 1 to [\d,]+ are missing/);

/** Words that are not true beside what was found lost. */
const judge = (findings: readonly Finding[], missing: readonly string[], lost: Map<string, string>): string[] => {
  const errors = findings.filter(({ level }) => level === 'error').map(({ what }) => what);
  const all = findings.flatMap(({ what, fix = '' }) => [what, fix]);
  const wrong: string[] = [];
  if (lost.size > 0 && errors.length === 0) wrong.push('the doctor finds no error');
  if (lost.size > 0 && says(all, /nothing is missing|Everything up to/i))
    wrong.push('the doctor says that nothing is missing');
  if (lost.size === 0 && says([...errors, ...missing], /\bd\d+\b.*lost|Writes? [\d,]+ (is|to)/))
    wrong.push(`called lost: ${errors.join(' ')}`);
  if (isNothing(missing))
    return [...wrong, ...[...lost.values()].filter((text) => !/are missing.*loom doctor/.test(text))];
  for (const [id, words] of lost) {
    if (!/was lost to damage on \d{4}-/.test(words)) wrong.push(`${id}: ${words}`);
    if (!says(missing, new RegExp(`\\b${id}\\b`))) wrong.push(`${id} is not named as missing: ${missing.join(' ')}`);
  }
  return wrong;
};

const expectRefused = async (work: Promise<unknown>, wrong: string[]): Promise<void> => {
  const words = await work.then(() => 'it is called repaired', String);
  if (!words.includes('nothing to go on with')) wrong.push(words);
};

/** Flips `at` in `name` of a copy of the drawer, and looks: as it is opened, as the doctor sees it, after a repair. */
const flip = async (
  { folder, keys, contents }: Made,
  name: string,
  at: number,
  mask: number,
): Promise<{ lost: number; wrong: string[] }> => {
  const copy = scratch();
  const named = (wrong: readonly string[]): string[] => wrong.map((text) => `${name} byte ${at} ^ ${mask}: ${text}`);
  try {
    cpSync(folder, copy, { recursive: true });
    const file = join(copy, name);
    const bytes = readFileSync(file);
    bytes[at]! ^= mask;
    writeFileSync(file, bytes);
    const findings = await diagnose({ folder: copy, ...inFile, keys: () => keys });
    const store = await open(copy, keys);
    const { role, missing } = await store.health();
    const before = await look(store, contents);
    await store.close();
    const wrong = [...before.wrong, ...judge(findings, missing, before.lost)];
    const nothing = isNothing(missing);
    if (nothing) {
      // A page without which SQLite knows no table, and no other copy of it: nothing is called saved, or never given out.
      await expectRefused(repair({ folder: copy, ...inFile, keys: () => keys }), wrong);
    } else if (role === 'view') {
      const repaired = await repair({ folder: copy, ...inFile, keys: () => keys });
      const again = await open(copy, keys);
      const after = await look(again, contents);
      wrong.push(...after.wrong, ...judge([{ level: 'error', what: '' }], repaired.missing, after.lost));
      if ((await again.health()).role !== 'owner') wrong.push('repaired, and yet nobody can own it');
      if (after.lost.size !== before.lost.size)
        wrong.push(`the repair keeps ${documents - after.lost.size} documents, not ${documents - before.lost.size}`);
      await again.close();
      for (const { level, what } of await diagnose({ folder: copy, ...inFile, keys: () => keys }))
        if (level === 'error') wrong.push(`afterwards the doctor says: ${what}`);
    } else if (before.lost.size > 0) wrong.push('documents are lost, and yet somebody owns the drawer');
    return { lost: before.lost.size, wrong: named(wrong) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
};

/** A judged owner's link is waited for a second where it is damaged: fewer of these. */
const ofLinks = 20;

/** Flips `positions` bytes in each of the drawer's files, one at a time; or in all of them together. */
export const flipEach = async (made: Made, positions: number, together = false): Promise<Map<string, Figures>> => {
  const { below } = random(positions);
  const all = new Map<string, Figures>();
  const names = readdirSync(made.folder).filter((name) => !together || name.startsWith('drawer.'));
  for (const name of names) {
    const { length } = readFileSync(join(made.folder, name));
    const count = together ? Math.ceil(positions / names.length) : name.startsWith('owner') ? ofLinks : positions;
    const found: { lost: number; wrong: string[] }[] = [];
    for (let n = 0; n < count; n++) found.push(await flip(made, name, below(length), 1 + below(255)));
    const lost = found.map((one) => one.lost);
    all.set(name, {
      positions: count,
      hurt: lost.filter((each) => each > 0).length,
      mostLost: Math.max(...lost),
      meanLost: lost.reduce((sum, each) => sum + each, 0) / count,
      wrong: found.flatMap(({ wrong }) => wrong),
    });
  }
  rmSync(made.folder, { recursive: true });
  return all;
};
