// What the tasks are about: made by really running things over a copy of this repository, or taken from its packages.
import { cpSync, copyFileSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Scope } from '#scripts/scope.ts';
import { root } from '../../vscode/install.ts';

/** What a program printed, both streams in the order of a shell's `2>&1`. Its exit code does not matter: some shall fail. */
const printed = (cwd: string, program: string, args: readonly string[]): string => {
  const bin = join(root, 'node_modules/.bin');
  // A log of a CI: no colours.
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1', FORCE_COLOR: undefined };
  const words = [program, ...args].map((word) => `'${word}'`).join(' ');
  const { stdout, error } = spawnSync('sh', ['-c', `${words} 2>&1`], { cwd, env, maxBuffer: 1e9, encoding: 'utf8' });
  if (error) throw error;
  if (stdout === '') throw new Error(`${words} printed nothing`);
  return stdout;
};

const change = (file: string, from: string, to: string): void => {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} no longer has ${from}`);
  writeFileSync(file, text.replace(from, to));
};

/** A copy of the repository that may be broken. */
const copyOfRepository = (scope: Scope): string => {
  const copy = join(scope.folder('copy'), 'loom');
  mkdirSync(copy);
  for (const name of [
    'src',
    'test',
    'scripts',
    'webview',
    'media',
    'docs',
    'package.json',
    'package-lock.json',
    '.npmrc',
    'tsconfig.json',
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

const one = (pattern: string): string => {
  const [found] = globSync(join(root, 'node_modules', pattern));
  if (found === undefined)
    throw new Error(`node_modules/${pattern} is missing: npm ci (a later npm install takes some of it away)`);
  return found;
};

/** Programs and tests that one CommonJS build can hold: some other tests wait at their top level. */
const entryPoints = [
  'src/*.ts',
  'webview/main.ts',
  'test/{base,browser,drawer,kernel,ledger,mcp,storage}/*.test.ts',
  'test/process/{commands,doors,kernel,tools}.test.ts',
];

/** A build, told step by step, and what it was made of. */
const build = (copy: string, out: string): string => {
  const entries = globSync(entryPoints, { cwd: copy }).toSorted();
  const flags = [
    '--bundle',
    '--platform=node',
    '--preserve-symlinks',
    '--external:vscode',
    '--loader:.wasm=file',
    '--loader:.css=text',
  ];
  const told = ['--log-level=verbose', '--log-limit=0', `--metafile=${join(out, 'bundle.json')}`];
  return printed(copy, 'esbuild', [...entries, ...flags, ...told, `--outdir=${join(copy, 'built')}`]);
};

const failingTests = (copy: string, out: string): string => {
  // One locale for another: figures come out with dots, and tests fail in several rooms.
  change(join(copy, 'src/base/text.ts'), "'en-US'", "'de-DE'");
  const tests = ['base/text', 'drawer/anchor', 'drawer/get', 'ledger/reportText', 'mcp/listing', 'mcp/arguments'];
  const reporters = ['--reporter=verbose', '--reporter=json', `--outputFile=${join(out, 'vitest.json')}`];
  const config = ['run', '--config', 'test/vitest.config.ts', '--project', 'unit'];
  return printed(copy, 'vitest', [...config, ...reporters, ...tests.map((test) => `test/${test}.test.ts`)]);
};

const typeErrors = (copy: string): string => {
  change(join(copy, 'src/base/tx.ts'), '  get: <R>', '  one: <R>');
  return printed(copy, 'tsc', ['-p', '.', '--noEmit', '--pretty', 'false']);
};

/** What npm says it would install, where nothing is installed. */
const installation = (scope: Scope): string => {
  const empty = scope.folder('empty');
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(join(root, name), join(empty, name));
  return printed(empty, 'npm', ['install', '--dry-run', '--offline', '--loglevel=silly']);
};

/** Prettier over some sources, profiled, and with V8's account of what it compiled and gave up. */
const engineLogs = (copy: string, out: string): string => {
  const work = [join(root, 'node_modules/prettier/bin/prettier.cjs'), '--check', join(copy, 'src/drawer')];
  printed(out, process.execPath, ['--cpu-prof', '--cpu-prof-name=format.cpuprofile', ...work]);
  return printed(copy, process.execPath, ['--trace-opt', '--trace-deopt', ...work]);
};

/** Fills `folder` with everything that a task asks about. */
export const makeMaterial = (scope: Scope, folder: string): void => {
  mkdirSync(folder, { recursive: true });
  const copy = copyOfRepository(scope);
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('build.log', build(copy, folder));
  write('v8.log', engineLogs(copy, folder));
  write('npm.log', installation(scope));
  write('vitest.log', failingTests(copy, folder));
  write('tsc.log', typeErrors(copy));
  copyFileSync(one('@types/vscode/index.d.ts'), join(folder, 'vscode.d.ts'));
  copyFileSync(one('@typescript/*/lib/lib.dom.d.ts'), join(folder, 'lib.dom.d.ts'));
  copyFileSync(one('node/node_modules/*/CHANGELOG.md'), join(folder, 'CHANGELOG.md'));
  copyFileSync(one('prettier/THIRD-PARTY-NOTICES.md'), join(folder, 'notices.md'));
  for (const name of ['package-lock.json', 'LICENSE']) copyFileSync(join(root, name), join(folder, name));
  copyFileSync(join(root, 'src/base/text.ts'), join(folder, 'text.ts'));
};
