#!/usr/bin/env node
// Stands in for the executable `code` wherever a program expects one: starts standIn.ts under the project's own Node,
// since the Node that the line above finds may be too old to run TypeScript.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';

const node = join(import.meta.dirname, '../node_modules/node/bin/node');
const child = spawn(node, [join(import.meta.dirname, 'standIn.ts'), ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`${error.message}\nRun npm ci first.`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
