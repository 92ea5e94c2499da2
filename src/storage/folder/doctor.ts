/**
 * Looks at a drawer's folder and says in words what is there, what is wrong and what to do. INVARIANT: it changes nothing,
 * owns nothing, and may run beside a live owner.
 */
import { connect } from 'node:net';
import { existsSync, statSync } from 'node:fs';
import { LoomError } from '#base/errors.ts';
import { counted, grouped } from '#base/text.ts';
import type { SqlFunction } from '#base/tx.ts';
import { socketPath } from '#storage/machine/address.ts';
import { judge, topLink } from '#storage/file/chain.ts';
import { noFault } from '#storage/fault.ts';
import { networkFileSystem } from '#storage/file/filesystem.ts';
import { decodeHeader, readRecords } from '#storage/file/journal.ts';
import { KeyRing, sealingKind } from '#storage/sealing/keySlots.ts';
import type { Finding, Keys } from '#storage/types.ts';
import { firstFile, list, logFile, snapshotFile, tornFile } from '#storage/file/layout.ts';
import { readIfThere } from '#storage/file/disk.ts';
import { asUnreadable, isThere } from './unreadable.ts';
import type { Image } from '#storage/image.ts';
import { thisMachine } from '#storage/machine/machine.ts';
import { recover, sealedHeaders } from '#storage/file/recovery.ts';
import { fileSeal } from '#storage/sealing/seal.ts';
import { readSnapshot, readSnapshotHeader } from '#storage/file/snapshot.ts';

export type DoctorOptions = { folder: string; functions: readonly SqlFunction[]; keys?: () => Keys | Promise<Keys> };

export const diagnose = async ({ folder, functions, keys = () => ({}) }: DoctorOptions): Promise<Finding[]> => {
  if (!isThere(folder)) return [{ level: 'ok', what: `${folder} does not exist yet: the drawer is empty.` }];
  const ring = new KeyRing(keys);
  try {
    return [
      ...folderFindings(folder),
      await ownerFinding(folder),
      ...(await keyFindings(folder, ring)),
      ...fileFindings(folder, ring),
      ...(await stateFindings(folder, functions, ring)),
    ];
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
  const { epoch, link } = topLink(folder);
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

const fileFindings = (folder: string, ring: KeyRing): Finding[] => {
  const { logs, snapshots, torn } = list(folder);
  const examine = (name: string, look: () => string): Finding => {
    try {
      return ok(`${name}: ${look()}`);
    } catch (thrown) {
      const fix = 'Keep the folder. The lines below say what of the drawer can be read without this file.';
      return error(`${name}: ${messageOf(thrown)}`, fix);
    }
  };
  return [
    ...snapshots.map((epoch) => examine(snapshotFile(folder, epoch), () => snapshotWords(folder, epoch, ring))),
    ...logs.map((epoch) => examine(logFile(folder, epoch), () => logWords(folder, epoch, ring))),
    ...torn.map((epoch) =>
      warning(
        `${tornFile(folder, epoch)}: the torn end of a journal, from a crash in the middle of a write that nobody was told is stored.`,
        'Nothing is missing. Remove it when you like.',
      ),
    ),
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

const snapshotWords = (folder: string, epoch: number, ring: KeyRing): string => {
  const header = readSnapshotHeader(folder, epoch);
  if (header === undefined) return 'was removed just now';
  const image = readSnapshot(folder, header, (sealed) => ring.dataKey(sealed));
  return `the state after write ${grouped(header.seq)}, ${grouped(image.length)} bytes, whole`;
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
      const torn =
        step.value.torn > 0 ? `, then ${counted(step.value.torn, 'byte')} of a write that was cut short` : '';
      return `${counted(last - seq, 'write')} after number ${grouped(seq)}, ${grouped(bytes.length)} bytes${torn}`;
    }
  }
};

/** What SQLite finds wrong. A document's words follow it into the index in slices: an index that is behind is sound. */
const unsound = (image: Image): string[] =>
  image
    .all<{ integrity_check: string }>('pragma integrity_check')
    .map(({ integrity_check: said }) => said)
    .filter((said) => said !== 'ok' && !said.startsWith('malformed inverted index for FTS'));

/** What `repair` and `exportTo` would save. */
const stateFindings = async (folder: string, functions: readonly SqlFunction[], keys: KeyRing): Promise<Finding[]> => {
  const missing: LoomError[] = [];
  try {
    const damage = (thrown: LoomError): void => void missing.push(thrown);
    const state = await recover({ folder, functions, keys, fault: noFault, mode: 'view', damage });
    const faults = unsound(state.image);
    state.image.close();
    const words = `write ${grouped(state.seq)}`;
    const sound =
      faults.length === 0
        ? ok(`Everything up to ${words} can be read, and SQLite finds it sound.`)
        : error(
            `Everything up to ${words} can be read, but SQLite says: ${faults[0]}.`,
            'Restore the folder from a copy.',
          );
    const fix =
      'Restore the folder from a copy if you have one. Else: loom export FILE writes what can be read; loom doctor --repair goes on with that and puts the damaged files aside.';
    return [
      ...missing.map(({ message }) => error(message, fix)),
      ...state.warnings.map((text) => warning(text, 'Nothing is missing.')),
      sound,
    ];
  } catch (thrown) {
    if (thrown instanceof LoomError && thrown.code === 'DRAWER_KEY') return [];
    return [error(messageOf(thrown), 'Restore the folder from a copy, or move it away to start a new drawer.')];
  }
};
