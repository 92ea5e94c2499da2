// Looks whether an audit is whole.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '#base/alive.ts';
import { auditFile } from './audit.ts';
import { noHash, readLine, type AuditLine } from './line.ts';

export type AuditFault = { file: string; line: number; what: string };
export type AuditVerdict = {
  files: number;
  calls: number;
  /** What was changed, removed, put in or put elsewhere. */
  faults: readonly AuditFault[];
  /** What a crash explains: a torn last line, or no closing line. Lines cut from such an end before anybody wrote it down do not show. */
  notes: readonly AuditFault[];
};

type File = { name: string; lines: AuditLine[]; closed: boolean };
type Found = { faults: AuditFault[]; notes: AuditFault[] };

/** Reads one file's chain as far as it holds. */
const readChain = (name: string, text: string, { faults, notes }: Found): File => {
  const texts = text.split('\n');
  const torn = texts.pop() ?? '';
  const lines: AuditLine[] = [];
  const fault = (line: number, what: string): void => void faults.push({ file: name, line, what });
  for (const [index, each] of texts.entries()) {
    const line = readLine(each);
    const last = lines.at(-1);
    if (line === undefined) fault(index + 1, 'this line was changed');
    else if (last === undefined ? line.n !== 1 && index === 0 : line.n !== last.n + 1 || line.prev !== last.hash)
      if (line.n !== index + 1 || readLine(texts[index - 1] ?? '') !== undefined)
        fault(index + 1, `this line (n ${line.n}) does not follow the one before: lines were removed, put in or moved`);
    if (line !== undefined) lines.push(line);
  }
  if (torn !== '')
    notes.push({ file: name, line: texts.length + 1, what: 'torn last line: the process ended while it wrote' });
  const last = lines.at(-1);
  return { name, lines, closed: last !== undefined && 'mark' in last && last.mark === 'close' };
};

const noteOpenEnd = ({ name, lines, closed }: File, { notes }: Found): void => {
  const [first] = lines;
  if (closed || first === undefined || !('mark' in first) || first.mark !== 'open') return;
  const what = isAlive(first.pid)
    ? `no closing line: process ${first.pid} still writes it`
    : 'no closing line: its process ended without closing it, or lines were cut off';
  notes.push({ file: name, line: lines.length, what });
};

/** What one file says of others: the one it goes on from, and the ends it found. */
const compare = (file: File, files: ReadonlyMap<string, File>, kept: string, { faults }: Found): void => {
  const [first] = file.lines;
  if (first === undefined || !('mark' in first) || first.mark !== 'open') return;
  const fault = (what: string): void => void faults.push({ file: file.name, line: 1, what });
  const before = first.after === undefined ? undefined : files.get(first.after);
  // What is older than the rest may have been removed for its age.
  if (before === undefined && first.after !== undefined && first.after.slice(0, 10) >= kept)
    fault(`it goes on from ${first.after}, which is missing`);
  const hash = first.after === undefined ? noHash : before?.lines.at(-1)?.hash;
  if (hash !== undefined && hash !== first.prev) fault(`it goes on from another end than ${first.after ?? 'none'} has`);
  for (const { file: name, n, hash: seen } of first.others) {
    const other = files.get(name);
    if (other === undefined && name.slice(0, 10) >= kept) fault(`it found ${name}, which is missing`);
    else if (other !== undefined && other.lines[n - 1]?.hash !== seen)
      faults.push({
        file: name,
        line: n,
        what: `line ${n} was there when ${file.name} began; it was changed or cut off`,
      });
  }
};

/** Looks at every line of an audit folder. It only reads. */
export const verifyAudit = async (folder: string): Promise<AuditVerdict> => {
  const found: Found = { faults: [], notes: [] };
  const names = (await readdir(folder).catch(() => [])).filter((name) => auditFile.test(name)).toSorted();
  const files = new Map<string, File>();
  for (const name of names) {
    const file = readChain(name, await readFile(join(folder, name), 'utf8'), found);
    files.set(name, file);
    noteOpenEnd(file, found);
  }
  const kept = (names[0] ?? '').slice(0, 10);
  for (const file of files.values()) compare(file, files, kept, found);
  const calls = [...files.values()].flatMap(({ lines }) => lines).filter((line) => !('mark' in line)).length;
  return { files: files.size, calls, ...found };
};
