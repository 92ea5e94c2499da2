/**
 * Looks at a drawer's folder and says in words what is there, what is wrong and what to do. INVARIANT: it changes nothing,
 * owns nothing, and may run beside a live owner.
 */
import { connect } from 'node:net';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LoomError } from '#base/errors.ts';
import { counted, grouped } from '#base/text.ts';
import type { Look, Mend, RoomMigrations, SqlFunction } from '#base/tx.ts';
import { socketPath } from '#storage/machine/address.ts';
import { judge, topLink } from '#storage/file/chain.ts';
import { noFault } from '#storage/fault.ts';
import { networkFileSystem } from '#storage/file/filesystem.ts';
import { corrupt, decodeHeader, isCutShort, readRecords } from '#storage/file/journal.ts';
import { KeyRing, sealingKind } from '#storage/sealing/keySlots.ts';
import type { Finding, Keys } from '#storage/types.ts';
import { copyFile, firstFile, list, logFile, snapshotFile, tornFile } from '#storage/file/layout.ts';
import { readIfThere } from '#storage/file/disk.ts';
import { asUnreadable, isThere } from './unreadable.ts';
import type { Image } from '#storage/image.ts';
import { thisMachine } from '#storage/machine/machine.ts';
import { sealedHeaders } from '#storage/file/recovery.ts';
import { salvage } from '#storage/file/salvage.ts';
import { fileSeal } from '#storage/sealing/seal.ts';
import { readSnapshotFile } from '#storage/file/snapshotReader.ts';

export type DoctorOptions = {
  folder: string;
  functions: readonly SqlFunction[];
  migrations: readonly RoomMigrations[];
  mend: Mend;
  look: Look;
  keys?: () => Keys | Promise<Keys>;
};

export const diagnose = async (options: DoctorOptions): Promise<Finding[]> => {
  const { folder, keys = () => ({}) } = options;
  if (!isThere(folder)) return [{ level: 'ok', what: `${folder} does not exist yet: the drawer is empty.` }];
  const ring = new KeyRing(keys);
  try {
    const owner = await ownerFinding(folder);
    const key = await keyFindings(folder, ring);
    const { whole, findings } = await stateFindings(options, ring);
    return [...folderFindings(folder), owner, ...key, ...fileFindings(folder, ring, whole), ...findings];
  } catch (error) {
    throw asUnreadable(folder, error);
  }
};

const ok = (what: string): Finding => ({ level: 'ok', what });
const error = (what: string, fix: string): Finding => ({ level: 'error', what, fix });
const warning = (what: string, fix: string): Finding => ({ level: 'warning', what, fix });
const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const folderFindings = (folder: string): Finding[] => {
  const network = networkFileSystem(folder);
  const open = process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0;
  return [
    network === undefined
      ? ok(`The drawer is in ${folder}.`)
      : error(`${folder} lies on a network file system (${network}).`, 'Set LOOM_DB to a folder on a local disk.'),
    ...(open ? [warning(`Others may look into ${folder}.`, `Run: chmod 700 "${folder}"`)] : []),
  ];
};

const answers = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(address);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

const ownerFinding = async (folder: string): Promise<Finding> => {
  const { epoch, raw, link } = topLink(folder);
  if (raw !== undefined && link === undefined)
    return warning(
      `owner.${epoch}, which says who holds the drawer, is damaged.`,
      'The next program that opens the drawer takes it over.',
    );
  if (link === undefined) return ok('Nobody holds the drawer.');
  const held = `epoch ${epoch}, ${link.host}${link.app && `, Loom ${link.app}`}`;
  switch (judge(link, thisMachine())) {
    case 'foreign':
      return error(
        `The drawer is held by a program on another machine (${held}), or was when that machine stopped.`,
        'Close Loom there. If that machine is off or gone: loom unlock',
      );
    case 'ask':
      return (await answers(socketPath(folder, link.address)))
        ? ok(`A program on this machine holds the drawer (${held}).`)
        : ok(`Nobody holds the drawer; the last owner (${held}) ended without letting go. It is succeeded at once.`);
    default:
      return ok(`Nobody holds the drawer (last: ${held}).`);
  }
};

const keyFindings = async (folder: string, ring: KeyRing): Promise<Finding[]> => {
  const headers = sealedHeaders(folder);
  const kind = sealingKind(headers[0]?.sealed);
  try {
    await ring.open(headers);
  } catch (thrown) {
    const plain = thrown instanceof LoomError && thrown.code === 'DRAWER_PLAIN';
    const fix = plain
      ? 'Run `loom seal`, or unset LOOM_DB_PASSWORD.'
      : 'Set LOOM_DB_PASSWORD to the passphrase or the recovery key, or open the drawer in VS Code.';
    return [error(messageOf(thrown), fix)];
  }
  return [ok(kind === 'off' ? 'The drawer is not sealed.' : `The drawer is sealed (${kind}), and the key fits.`)];
};

/** `whole`: all that was acknowledged can be read nonetheless. */
const fileFindings = (folder: string, ring: KeyRing, whole: boolean): Finding[] => {
  const { logs, snapshots, copies, torn } = list(folder);
  const examine = (name: string, look: () => string): Finding => {
    try {
      return ok(`${name}: ${look()}`);
    } catch (thrown) {
      const what = `${name}: ${messageOf(thrown)}`;
      return whole
        ? warning(
            what,
            'Nothing is missing: what stood there stands elsewhere too. The next owner of the drawer writes it anew.',
          )
        : error(what, 'Keep the folder. The lines below say what can be read, and what is missing.');
    }
  };
  const snapshotFinding = (epoch: number, name: string): Finding =>
    examine(name, () => snapshotWords(epoch, name, ring));
  return [
    ...snapshots.map((epoch) => snapshotFinding(epoch, snapshotFile(folder, epoch))),
    ...copies.map((epoch) => snapshotFinding(epoch, copyFile(folder, epoch))),
    ...logs.map((epoch) => examine(logFile(folder, epoch), () => logWords(folder, epoch, ring))),
    ...torn.map((epoch) => tornFinding(tornFile(folder, epoch))),
    ...asideFindings(folder),
    ...(existsSync(firstFile(folder)) && snapshots.length > 0
      ? [
          warning(
            `${firstFile(folder)}: left from the first version of Loom.`,
            'It was taken over; remove it when you like.',
          ),
        ]
      : []),
  ];
};

/** What a repair put aside is no part of the drawer: no purge reaches it, and no sealing. */
const asideFindings = (folder: string): Finding[] =>
  readdirSync(folder)
    .filter((name) => /^damaged\.\d+$/.test(name))
    .map((name) =>
      warning(
        `${join(folder, name)}: the damaged files that a repair put aside, with all that stood in them.`,
        'Remove the folder when nobody wants to look into it any more: what is purged or sealed later stays there as it was.',
      ),
    );

const tornFinding = (name: string): Finding =>
  isCutShort(readIfThere(name) ?? Buffer.alloc(0))
    ? warning(
        `${name}: the torn end of a journal, from a crash in the middle of a write that nobody was told is stored.`,
        'Nothing is missing. Remove it when you like.',
      )
    : warning(
        `${name}: the end of a journal that was not cut short but is not what was written.`,
        'A power failure may leave that, and so may damage: look whether what was stored last is there.',
      );

const snapshotWords = (epoch: number, name: string, ring: KeyRing): string => {
  const { header, bad, mended } = readSnapshotFile(epoch, name, (sealed) => ring.dataKey(sealed));
  const { seq, bytes, piece } = header;
  const [first] = bad;
  if (first !== undefined)
    throw corrupt(
      `${counted(bad.length, 'piece')} of ${grouped(piece)} bytes changed, the first near byte ${grouped(first * piece)}`,
    );
  if (mended) throw corrupt('one of the two copies of its trailer was changed');
  return `the state after write ${grouped(seq)}, ${grouped(bytes)} bytes, whole`;
};

const logWords = (folder: string, epoch: number, ring: KeyRing): string => {
  const bytes = readIfThere(logFile(folder, epoch));
  if (bytes === undefined) return 'was removed just now';
  const log = decodeHeader(bytes, epoch);
  const { sealed, id, seq } = log.header;
  const seal = sealed && fileSeal(ring.dataKey(sealed), id, 'log', epoch);
  const records = readRecords(bytes, log, seal, undefined);
  let last = seq;
  for (;;) {
    const step = records.next();
    if (!step.done) last = step.value.seq;
    else {
      const { torn: bytesLeft, changed, mended } = step.value;
      if (mended > 0)
        throw corrupt(`one of two copies was changed in ${counted(mended, 'place')}; the other one is whole`);
      const end = changed ? 'a write that is not what was written' : 'a write that was cut short';
      const torn = bytesLeft > 0 ? `, then ${counted(bytesLeft, 'byte')} of ${end}` : '';
      return `${counted(last - seq, 'write')} after number ${grouped(seq)}, ${grouped(bytes.length)} bytes${torn}`;
    }
  }
};

/**
 * What SQLite finds wrong. Words follow what was stored into a full-text index in slices: where one is `behind`, SQLite's
 * comparison of it with the content says nothing.
 */
const unsound = (image: Image, behind: boolean): string[] =>
  image
    .all<{ integrity_check: string }>('pragma integrity_check')
    .map(({ integrity_check: said }) => said)
    .filter((said) => said !== 'ok' && !(behind && said.startsWith(indexDiffers)));

const indexDiffers = 'malformed inverted index for FTS';

/** What of a drawer that can be read in whole or in part: its rooms' words, and SQLite's. */
const contentFindings = (image: Image, look: Look): Finding[] => {
  const seen = look(image.tx());
  const [fault] = unsound(
    image,
    seen.some(({ behind }) => behind),
  );
  const judged =
    fault === undefined
      ? ok('SQLite finds it sound.')
      : fault.startsWith(indexDiffers)
        ? error(
            `The search index is damaged (SQLite says: ${fault}); what was stored is not.`,
            'Rebuild it: ctx_rebuild_index.',
          )
        : error(
            `SQLite says: ${fault}.`,
            'Restore the folder from a copy, or write what is readable with loom export FILE.',
          );
  return [...seen.map(({ what }) => ok(what)), judged];
};

const missingFix =
  'Restore the folder from a copy if you have one. Else: loom export FILE writes what can be read; loom doctor --repair goes on with that and puts the damaged files aside.';

/** What `repair` and `exportTo` would save. */
const stateFindings = async (
  { folder, functions, migrations, mend, look }: DoctorOptions,
  keys: KeyRing,
): Promise<{ whole: boolean; findings: Finding[] }> => {
  try {
    const { image, seq, missing, warnings, doubt } = await salvage({
      folder,
      functions,
      migrations,
      mend,
      keys,
      fault: noFault,
    });
    const whole = missing.length === 0;
    const content = contentFindings(image, look);
    image.close();
    const findings = [
      ...missing.map(({ message }) => error(message, missingFix)),
      ...warnings.map((text) => warning(text, 'Nothing has to be done.')),
      ...(doubt === undefined ? [] : [warning(doubt, 'Look whether what was stored last is there.')]),
      whole
        ? ok(`Everything up to write ${grouped(seq)} can be read.`)
        : ok(`Of ${counted(seq, 'write')} that were acknowledged, what is not named above can be read.`),
      ...content,
    ];
    return { whole, findings };
  } catch (thrown) {
    if (thrown instanceof LoomError && thrown.code === 'DRAWER_KEY') return { whole: false, findings: [] };
    const fix = 'Restore the folder from a copy, or move it away to start a new drawer.';
    return { whole: false, findings: [error(messageOf(thrown), fix)] };
  }
};
