/** Run on a file system of 4 MB: a cell puts out 9 MB, others run, room is made. Prints what was answered as JSON. */
import { join } from 'node:path';
import { spawnLoom } from '../kernel/spawnLoom.ts';

const [, , disk = ''] = process.argv;
const first = await spawnLoom(disk);
const print = 'for i in range(750_000): print("line", i)';
const filled = await first.ask('run_python', { code: `stays = 41\n${print}`, timeout_seconds: 100 });
const other = await first.ask('run_python', { code: 'stays + 1', timeout_seconds: 100 });
const reads = (loom: typeof first): Promise<string[]> =>
  Promise.all([
    loom.ask('read_python_output', { execution: 1, lines: '1-2' }),
    loom.ask('read_python_output', { execution: 1, lines: '-1:' }),
    loom.ask('read_python_output', { execution: 1, lines: '400000' }),
    loom.ask('search_python_output', { execution: 1, query: 'line 749999' }),
  ]);
const live = await reads(first);
await first.close();
const second = await spawnLoom(disk);
const again = await reads(second);
// Room comes from the outputs themselves.
const empty = `import glob, os\nfor file in glob.glob(${JSON.stringify(join(disk, 'drawer/executions/*'))}): os.truncate(file, 0)`;
await second.ask('run_python', { code: empty, timeout_seconds: 100 });
await second.ask('run_python', { code: 'for i in range(100_000): print("more", i)', timeout_seconds: 100 });
const later = await second.ask('read_python_output', { lines: '-1:' });
await second.close();
const third = await spawnLoom(disk);
const emptied = await third.ask('read_python_output', { execution: 1 });
await third.close();
console.log(JSON.stringify({ filled, other, live, again, later, emptied }));
