// How many processes a command started.
import { readdirSync, readFileSync } from 'node:fs';

/** The parent of each process of this machine, where there is a /proc. */
const parents = (): Map<number, number> => {
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The name in brackets may hold anything; the parent is the second field behind it.
      found.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
};

/** How many processes descend from `root`; 0 where nobody can tell. */
export const countDescendants = (root: number): number => {
  if (process.platform !== 'linux') return 0;
  const found = parents();
  const inside = new Set([root]);
  // A child may have a lower number than its parent once the numbers have begun anew.
  for (let before = 0; before < inside.size;) {
    before = inside.size;
    for (const [pid, parent] of found) if (inside.has(parent)) inside.add(pid);
  }
  return inside.size - 1;
};
