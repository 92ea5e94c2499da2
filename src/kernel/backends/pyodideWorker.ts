// The thread in which Pyodide runs.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { KernelEvent } from './backend.ts';

export type PyodideWorkerData = {
  role: 'pyodide';
  pyodide: string;
  bridge: string;
  cache: string;
  cwd: string;
  /** Two bytes: 2 in the first stops code that computes; the second is 0 while a stop is asked for and not yet made. */
  interrupts: SharedArrayBuffer;
};

export type PyodideRequest = { op: 'execute'; id: number; code: string } | { op: 'interrupt' };
export type PyodideMessage =
  { ev: 'ready'; python: string; version: string } | { ev: 'fatal'; words: string } | KernelEvent;

/** The part of Pyodide that is used. Its own types pull the DOM in. */
type Pyodide = {
  version: string;
  FS: {
    mkdirTree: (path: string) => void;
    mount: (type: unknown, options: { root: string }, at: string) => void;
    chdir: (path: string) => void;
    writeFile: (path: string, text: string) => void;
    filesystems: { NODEFS: unknown };
  };
  runPython: (code: string) => unknown;
  pyimport: (name: string) => { Kernel: (send: (json: string) => void, claim: () => boolean) => WasmKernel };
  setInterruptBuffer: (buffer: Uint8Array) => void;
  setStdin: (options: { error: true }) => void;
  makeMemorySnapshot: () => Uint8Array;
};
type WasmKernel = { run: (id: number, code: string) => Promise<boolean>; cancel: () => void };
type Load = (options: { indexURL: string; _makeSnapshot?: boolean; _loadSnapshot?: Uint8Array }) => Promise<Pyodide>;

/** What a cell most often imports, and what the kernel does: in the snapshot it costs nothing. */
const preloaded = [
  'ast, asyncio, base64, collections, dataclasses, datetime, functools, getpass, inspect, io, itertools, json, linecache',
  'math, os, pathlib, random, re, statistics, sys, time, traceback, types, warnings',
];

/** The snapshot for the next start. A disk that takes none makes that slower, and no more. */
const leaveSnapshot = (file: string, snapshot: Uint8Array): void => {
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, snapshot, { mode: 0o600, flush: true });
    renameSync(temporary, file);
  } catch {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // The next one overwrites it.
    }
  }
};

/** Pyodide from the snapshot of its memory; undefined where there is none that it can start from. */
const fromSnapshot = async (loadPyodide: Load, indexURL: string, file: string): Promise<Pyodide | undefined> => {
  try {
    return await loadPyodide({ indexURL, _loadSnapshot: readFileSync(file) });
  } catch {
    return undefined;
  }
};

const load = async ({ pyodide, cache }: PyodideWorkerData): Promise<Pyodide> => {
  const { loadPyodide } = (await import(pathToFileURL(join(pyodide, 'pyodide.mjs')).href)) as { loadPyodide: Load };
  const { version } = JSON.parse(readFileSync(join(pyodide, 'package.json'), 'utf8')) as { version: string };
  const snapshot = join(cache, `pyodide-${version}.snapshot`);
  const indexURL = `${pyodide}${sep}`;
  const ready = await fromSnapshot(loadPyodide, indexURL, snapshot);
  if (ready) return ready;
  const loaded = await loadPyodide({ indexURL, _makeSnapshot: true });
  for (const names of preloaded) loaded.runPython(`import ${names}`);
  leaveSnapshot(snapshot, loaded.makeMemorySnapshot());
  return loaded;
};

/** The workspace under its own path, so that paths mean the same on both sides; Windows has no such paths. */
const mountWorkspace = ({ FS }: Pyodide, cwd: string): void => {
  const at = sep === '/' ? cwd : '/workspace';
  FS.mkdirTree(at);
  FS.mount(FS.filesystems.NODEFS, { root: cwd }, at);
  FS.chdir(at);
};

const installSources = (pyodide: Pyodide, bridge: string): void => {
  const folder = join(bridge, 'loom_kernel');
  pyodide.FS.mkdirTree('/loom/loom_kernel');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.py')))
    pyodide.FS.writeFile(`/loom/loom_kernel/${name}`, readFileSync(join(folder, name), 'utf8'));
  pyodide.runPython('import sys; sys.path.append("/loom"); sys.path.insert(0, "")');
};

/** Whether a stop was asked for that nobody has made: by whoever claims it first, in its cell or as a message. */
const claimOf = (interrupts: Uint8Array) => (): boolean => Atomics.compareExchange(interrupts, 1, 0, 1) === 0;

/** The thread in which Pyodide runs: it takes cells from its parent one by one, and tells what comes of them. */
export const servePyodide = async (): Promise<void> => {
  const port = parentPort;
  if (port === null) return;
  const data = workerData as PyodideWorkerData;
  const interrupts = new Uint8Array(data.interrupts);
  const tell = (message: PyodideMessage): void => port.postMessage(message);
  const pyodide = await load(data);
  mountWorkspace(pyodide, data.cwd);
  installSources(pyodide, data.bridge);
  pyodide.setStdin({ error: true });
  pyodide.setInterruptBuffer(interrupts.subarray(0, 1));
  const claim = claimOf(interrupts);
  const kernel = pyodide.pyimport('loom_kernel.wasm').Kernel((json) => tell(JSON.parse(json) as KernelEvent), claim);
  const execute = async (id: number, code: string): Promise<void> => {
    try {
      if (await kernel.run(id, code)) tell({ ev: 'fatal', words: 'exit code 0' });
    } catch (error) {
      // Python's own errors are told by the kernel: this is the end of the program, by os._exit or a fault in it.
      tell({ ev: 'fatal', words: String((error as Error).message).split('\n')[0] || 'a fault' });
    }
    // A stop that came too late would hit the next cell.
    claim();
    interrupts[0] = 0;
  };
  port.on('message', (request: PyodideRequest) => {
    if (request.op === 'execute') return void execute(request.id, request.code);
    // This thread is free, so the cell awaits or sleeps: the flag would stop what wakes it, and not the cell.
    if (claim()) kernel.cancel();
  });
  const python = String(pyodide.runPython('import platform; platform.python_version()'));
  tell({ ev: 'ready', python, version: pyodide.version });
};
