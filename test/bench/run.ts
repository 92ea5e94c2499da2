// npm run bench [NAME…]: measurements, not tests. Each prints a table; figures compare within one run.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { basename, join } from 'node:path';

const own = basename(import.meta.filename);
const all = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts') && file !== own)
  .map((file) => file.replace('.bench.ts', ''));
const [first] = process.argv.slice(2);
const named = first === undefined ? all : [first];
const rest = process.argv.slice(3);
console.log(
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform} ${release()}, Node ${process.version}`,
);
for (const name of named) {
  if (!all.includes(name)) throw new Error(`no bench "${name}"; there is ${all.join(', ')}`);
  console.log(`\n== ${name}`);
  execFileSync(process.execPath, ['--expose-gc', join(import.meta.dirname, `${name}.bench.ts`), ...rest], {
    stdio: 'inherit',
  });
}
