import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const scope = join(import.meta.dirname, '../../scripts/scope.ts');

/** Runs `body` as a script's body, in a process of its own, and `act`s on it once it has printed a line. */
const script = async (body: string, act: (child: ReturnType<typeof spawn>) => void = () => undefined) => {
  const text = `import { main } from ${JSON.stringify(scope)}; await main(async (scope) => { ${body} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let acted = false;
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
    if (!acted && out.includes('\n')) {
      acted = true;
      act(child);
    }
  });
  let err = '';
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, lines: out.trim().split('\n'), err };
};

const slowly = `scope.defer(async () => { await new Promise((done) => setTimeout(done, 200)); console.log('closed'); });`;
const forever = 'await new Promise((done) => setTimeout(done, 60_000));';

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s, even twice, ends it when all is closed', async (signal) => {
  const body = `${slowly} console.log(scope.folder('test')); ${forever}`;
  const { code, lines } = await script(body, (child) => {
    child.kill(signal);
    child.kill(signal);
  });
  expect(code).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
  expect(lines[1]).toBe('closed');
  expect(existsSync(lines[0] ?? '')).toBe(false);
});

test('a failure is told with what helps to understand it, and all is closed', async () => {
  const body = `${slowly} scope.onFailure(() => console.error('the log')); console.log(scope.folder('test')); throw new Error('the fault');`;
  const { code, lines, err } = await script(body);
  expect(code).toBe(1);
  expect(err).toMatch(/the log[^]*the fault/);
  expect(lines[1]).toBe('closed');
  expect(existsSync(lines[0] ?? '')).toBe(false);
});

test('one thing that does not close does not keep the others open', async () => {
  const body = `scope.defer(() => console.log('closed')); scope.defer(() => { throw new Error('stuck'); }); return 0;`;
  const { code, lines, err } = await script(body);
  expect(code).toBe(0);
  expect(lines).toEqual(['closed']);
  expect(err).toContain('stuck');
});
