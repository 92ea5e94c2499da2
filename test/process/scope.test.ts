import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const scope = join(import.meta.dirname, '../../scripts/scope.ts');

type Script = ReturnType<typeof spawn>;

/** Runs `body` as a script's body, in a process of its own; `hear` is told each line that it prints. */
const script = async (body: string, hear: (child: Script) => void = () => undefined) => {
  const text = `import { main } from ${JSON.stringify(scope)}; await main(async (scope) => { ${body} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    hear(child);
  });
  let err = '';
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, lines, err };
};

const slowly = `scope.defer(async () => {
  console.log('closing');
  await new Promise((done) => setTimeout(done, 200));
  console.log('closed');
});`;
const forever = 'await new Promise((done) => setTimeout(done, 60_000));';

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s, even twice, ends it when all is closed', async (signal) => {
  const body = `${slowly} console.log(scope.folder('test')); ${forever}`;
  // Once when it has begun, and again while it is closing.
  const { code, lines } = await script(body, (child) => child.kill(signal));
  expect(code).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
  expect(lines.slice(1)).toEqual(['closing', 'closed']);
  expect(existsSync(lines[0] ?? '')).toBe(false);
});

test('a failure is told with what helps to understand it, and all is closed', async () => {
  const body = `${slowly} scope.onFailure(() => console.error('the log')); console.log(scope.folder('test')); throw new Error('the fault');`;
  const { code, lines, err } = await script(body);
  expect(code).toBe(1);
  expect(err).toMatch(/the log[^]*the fault/);
  expect(lines.slice(1)).toEqual(['closing', 'closed']);
  expect(existsSync(lines[0] ?? '')).toBe(false);
});

test('work that was interrupted opens nothing more', async () => {
  const body = `scope.defer(async () => { await later; }); console.log('begun');
    const later = new Promise((done) => setTimeout(done, 200)).then(() => { console.log(scope.folder('test')); });
    later.catch((error) => console.log(error.message));
    ${forever}`;
  let signals = 0;
  const { lines } = await script(body, (child) => {
    signals += 1;
    if (signals === 1) child.kill('SIGTERM');
  });
  expect(lines).toEqual(['begun', 'the script is ending']);
});

test('one thing that does not close does not keep the others open', async () => {
  const body = `scope.defer(() => console.log('closed')); scope.defer(() => { throw new Error('stuck'); }); return 0;`;
  const { code, lines, err } = await script(body);
  expect(code).toBe(0);
  expect(lines).toEqual(['closed']);
  expect(err).toContain('stuck');
});
