// Program 3: the engine, a worker thread of whoever uses the drawer: its file and the rooms on it.
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { relayLog } from '#base/log.ts';
import { serve, type CallControl, type Service } from '#base/rpc.ts';
import { readFrom, type Snapshot } from '#base/settings.ts';
import type { EngineEvent, EngineOptions, ToEngine } from '#host/engine.ts';
import { expectFolder } from '#storage/folder/expectFolder.ts';
import { diagnose } from '#storage/folder/doctor.ts';
import { repair } from '#storage/folder/repair.ts';
import { unlock } from '#storage/folder/unlock.ts';
import { sealing } from '#storage/folder/sealing.ts';
import type { Keys, Sealing } from '#storage/types.ts';
import { openRooms, roomsInFile, type OpenedRooms } from './openRooms.ts';

const { folder, version, settings: first } = workerData as EngineOptions;
/** What may open a sealed drawer, and what a person decided: who started this program says it, and says it anew. */
let keys: Keys = {};
let snapshot: Snapshot = first;
let tell: (event: EngineEvent) => void = () => undefined;

const log = relayLog((level, message) => tell({ kind: 'log', level, message }));

let rooms: Promise<OpenedRooms> | undefined;
/** A drawer that could not be opened is tried again by the next call: what was in its way may be gone. */
const opened = (): Promise<OpenedRooms> =>
  (rooms ??= openRooms({
    folder,
    programs: import.meta.dirname,
    version,
    settings: readFrom(() => snapshot),
    keys: () => keys,
    log,
    onRecoveryKey: (key) => tell({ kind: 'recoveryKey', key }),
    onChange: () => tell({ kind: 'changed' }),
  }).catch((error: unknown) => {
    rooms = undefined;
    throw error;
  }));

const about = async () => {
  expectFolder(folder);
  return { folder, ...(await roomsInFile()), keys: () => keys };
};

/** What is answered without the drawer being opened, or of its file as a whole. */
const own: Service = {
  'storage.setKeys': (given: { keys: Keys }) => void ({ keys } = given),
  'storage.diagnose': async () => diagnose(await about()),
  'storage.repair': async () => repair(await about()),
  'storage.sealing': async () => sealing({ folder, keys: () => keys }),
  'storage.unlock': ({ force }: { force: boolean }) => unlock({ folder, force }),
  'storage.health': async () => (await opened()).store.health(),
  'storage.exportTo': async ({ file }: { file: string }) => (await opened()).store.exportTo(file),
  'storage.seal': async ({ sealing: wanted }: { sealing: Sealing }) => {
    const sealed = await (await opened()).store.seal(wanted);
    if (wanted.kind === 'secretStorage') keys = { ...keys, secret: wanted.secret };
    if (wanted.kind === 'passphrase') keys = { ...keys, passphrase: wanted.passphrase };
    return sealed;
  },
  setSettings: (given: { settings: Snapshot }) => void (snapshot = given.settings),
  // Whoever never opened the drawer need not open it to close.
  close: async () => (await rooms)?.close(),
};

/** `drawer.store`: a method of a room. */
const find = (name: string): Service[string] => {
  if (Object.hasOwn(own, name)) return own[name] as Service[string];
  const [room = '', method = ''] = name.split('.');
  return async (args: never, control: CallControl) => {
    const service = (await opened()).services.get(room);
    if (service === undefined || !Object.hasOwn(service, method)) throw new Error(`no method ${name}`);
    return service[method]?.(args, control);
  };
};

if (parentPort) {
  tell = serve(parentPort, find);
  // Another worker's own way to a room here.
  parentPort.on('message', (message: ToEngine) => {
    if ('peer' in message) serve(message.peer as MessagePort, (method) => find(`${message.room}.${method}`));
  });
}
