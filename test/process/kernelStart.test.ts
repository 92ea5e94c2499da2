import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openKernel, type OpenKernel, type Python } from '../kernel/openKernel.ts';

const open: Python[] = [];
const started = async (choice: OpenKernel = {}): Promise<Python> => {
  const python = await openKernel(choice);
  open.push(python);
  return python;
};
afterEach(async () => {
  for (const python of open.splice(0)) await python.close();
});

const script = (file: string, text: string): string => {
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
};

test('nothing has run yet', async () => {
  const python = await started();
  expect(await python.ask('python_status')).toBe('kernel: not started\nrun_python starts it.');
  for (const tool of ['python_execution_status', 'read_python_output', 'wait_python'])
    expect(await python.ask(tool)).toMatch(/^Error EXECUTION_NOT_FOUND .*No cell has been run in this session/);
  expect(await python.ask('interrupt_python')).toMatch(/^idle: /);
  expect(await python.ask('reset_python')).toMatch(/^restarted\nkernel: idle\n/);
});

test('a cell and a reset at the same moment leave one kernel', async () => {
  const python = await started({ backend: 'plain' });
  const [first, reset] = await Promise.all([python.run('import os; os.getpid()'), python.ask('reset_python')]);
  expect(first).toMatch(/^In \[1\] (completed|killed), /);
  const pid = /kernel_pid: (\d+)/.exec(reset)?.[1];
  expect(await python.run('os.getpid()')).toContain('NameError');
  expect(await python.run('import os; os.getpid()')).toContain(`: ${pid}`);
});

test('in a workspace that is not trusted nothing runs, and what was read before is still read', async () => {
  let trusted = true;
  const python = await started({ backend: 'plain', trusted: () => trusted });
  await python.run('print("earlier")');
  trusted = false;
  expect(await python.run('1')).toMatch(/^Error UNTRUSTED_WORKSPACE /);
  expect(await python.ask('reset_python')).toMatch(/^Error UNTRUSTED_WORKSPACE /);
  expect(await python.ask('read_python_output')).toMatch(/\nearlier$/);
});

test('a start that fails once is tried again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-python-'));
  const log = join(folder, 'starts');
  const python = await started({
    backend: 'plain',
    python: script(
      join(folder, 'python'),
      `echo start >> ${log}\n[ $(wc -l < ${log}) -gt 1 ] || exit 9\nexec python3 "$@"`,
    ),
  });
  expect(await python.run('1 + 1')).toMatch(/^In \[1\] completed, /);
  expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(2);
  rmSync(folder, { recursive: true });
});

test.each([
  ['is missing', (folder: string) => join(folder, 'none'), 'could not be run'],
  [
    'fails',
    (folder: string) => script(join(folder, 'python'), 'echo broken installation >&2; exit 4'),
    'exit code 4. It said: broken installation',
  ],
  [
    'cannot be executed',
    (folder: string) => {
      writeFileSync(join(folder, 'python'), '');
      return join(folder, 'python');
    },
    'could not be run',
  ],
])('an interpreter that a person named and that %s is told, and no other is taken', async (_, make, words) => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-python-'));
  const python = await started({ python: make(folder) });
  const answer = await python.run('1');
  expect(answer).toMatch(/^Error KERNEL_START_FAILED /);
  expect(answer).toContain(words);
  expect(await python.ask('read_python_output')).toContain('EXECUTION_NOT_FOUND');
  rmSync(folder, { recursive: true });
});

test('a working folder that is missing is told', async () => {
  const python = await started({ cwd: join(tmpdir(), 'loom-no-such-folder') });
  expect(await python.run('1')).toMatch(/^Error KERNEL_START_FAILED .*is missing, or is no folder/);
});

test('the environment of the workspace is taken before the PATH', async () => {
  const python = await started();
  mkdirSync(join(python.workspace, '.venv/bin'), { recursive: true });
  script(join(python.workspace, '.venv/bin/python3'), 'export FROM_VENV=yes; exec python3 "$@"');
  expect(await python.run('import os; os.environ["FROM_VENV"]')).toContain("'yes'");
});

test('the working folder is the workspace; start-up files, profiles and colours are not the person’s', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-python-'));
  writeFileSync(join(folder, 'startup.py'), 'print("startup ran")');
  process.env['PYTHONSTARTUP'] = join(folder, 'startup.py');
  process.env['FORCE_COLOR'] = '1';
  const python = await started();
  writeFileSync(join(python.workspace, 'beside.py'), 'value = 11');
  const code =
    'import os, beside\nprint(os.getcwd())\n[beside.value, os.environ.get("NO_COLOR"), os.environ.get("FORCE_COLOR")]';
  const answer = await python.run(code);
  delete process.env['PYTHONSTARTUP'];
  delete process.env['FORCE_COLOR'];
  expect(answer).toContain(`\n${python.workspace}\nOut[1]: [11, '1', None]`);
  rmSync(folder, { recursive: true });
});

test('where there is no Python at all, the one in WebAssembly runs, and says what it cannot do', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = '';
  const python = await started();
  const answer = await python.run('import sys\nopen("written.txt", "w").write("by wasm")\nsys.platform', {
    timeout_seconds: 200,
  });
  process.env['PATH'] = path;
  expect(answer).toContain("'emscripten'");
  expect(readFileSync(join(python.workspace, 'written.txt'), 'utf8')).toBe('by wasm');
  expect(await python.ask('python_status')).toMatch(
    /Pyodide [\d.]+\), WebAssembly[^]*no threads, subprocesses, sockets/,
  );
  expect(await python.run('import os; os._exit(3)')).toMatch(/^In \[2\] killed, /);
  expect(await python.run('1 + 1')).toContain(': 2');
}, 240_000);
