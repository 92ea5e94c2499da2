// The walls between the parts of the sources: who may import from whom, and that each file says what it is. oxlint holds
// circles and lengths. docs/architecture.md has the reasons.
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Parts below the rooms, and what each may import from. */
const floors: Readonly<Record<string, readonly string[]>> = {
  base: [],
  text: ['base'],
  files: ['base', 'text'],
  sandbox: ['base', 'files'],
  host: ['base'],
  mcp: ['base', 'text', 'host'],
};
/** Parts above the rooms: they may import from anything, and nothing below imports from them. */
const above = ['cli', 'vscode'];
/** What a room shows to the others: its data and its declaration. */
const shown = ['types.ts', 'room.ts'];

export type Import = { from: string; typesOnly: boolean };
export type Fault = { file: string; words: string };

const statement = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

/** What a source imports from this repository, as paths within `src`. */
export const importsOf = (file: string, source: string): Import[] =>
  [...source.matchAll(statement)].flatMap(({ 1: type, 2: name = '' }) => {
    const from = name.startsWith('#') ? name.slice(1) : posix.join(posix.dirname(file), name);
    return /^[#.]/.test(name) ? [{ from, typesOnly: type !== undefined }] : [];
  });

/** The part that a file lies in; undefined beside the folders: those files put the parts together. */
const partOf = (file: string): string | undefined =>
  file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined;

const wall = (file: string, { from, typesOnly }: Import, rooms: readonly string[]): string | undefined => {
  const [part, other] = [partOf(file), partOf(from)];
  if (part === undefined || part === other || above.includes(part)) return undefined;
  if (other === undefined) return `imports #${from}, which puts the parts together`;
  if (above.includes(other)) return `imports #${from}, which lies above it`;
  const lower = floors[part] ?? Object.keys(floors);
  if (lower.includes(other)) return undefined;
  if (!rooms.includes(other)) return `imports #${from}: ${part} stands on ${lower.join(', ') || 'nothing'}`;
  if (!shown.includes(from.slice(other.length + 1)))
    return `imports #${from}: a room shows others its types.ts and room.ts`;
  return typesOnly || from.endsWith('/room.ts') ? undefined : `imports #${from} not as a type`;
};

const firstLine = /^(?:#!.*\n)?(?:\/\/ \S|\/\*\*\s+(?:\* )?\S)/;

/** What breaks the walls in `sources`: text by path within `src`. */
export const faultsIn = (sources: ReadonlyMap<string, string>): Fault[] => {
  const rooms = importsOf('rooms.ts', sources.get('rooms.ts') ?? '').map(({ from }) => partOf(from) ?? '');
  return [...sources].flatMap(([file, source]) => {
    const words = importsOf(file, source).flatMap((one) => wall(file, one, rooms) ?? []);
    if (!firstLine.test(source)) words.push('does not begin with a line that says what it is');
    if (/new Proxy\b/.test(source) && file !== 'base/rpc.ts')
      words.push('has a Proxy: base/rpc.ts makes the one that clients are');
    return words.map((text) => ({ file, words: text }));
  });
};

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../src');
  const files = globSync('**/*.ts', { cwd: folder }).map((file) => file.replaceAll('\\', '/'));
  const sources = new Map(files.toSorted().map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const faults = faultsIn(sources);
  const imports = [...sources].reduce((sum, [file, source]) => sum + importsOf(file, source).length, 0);
  for (const { file, words } of faults) console.log(`src/${file} ${words}`);
  console.log(`structure: ${files.length} files, ${imports} imports, ${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
}
