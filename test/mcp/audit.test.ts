import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { openAudit } from '#mcp/audit/audit.ts';
import type { AuditCall } from '#mcp/audit/line.ts';
import { verifyAudit } from '#mcp/audit/verify.ts';

let folder: string;
let now = Date.parse('2026-11-29T12:00:00Z');
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'loom-audit-')), 'audit');
  now = Date.parse('2026-11-29T12:00:00Z');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const called = (n: number): AuditCall => ({
  client: 'test',
  session: 's',
  tool: 'ctx_get',
  through: undefined,
  effect: 'read',
  outcome: 'done',
  code: undefined,
  received: 12,
  answered: n,
  ms: 3,
  ids: [`d${n}`],
});

const open = () => openAudit({ folder, log: silentLog, clock: () => now });
const files = (): string[] => readdirSync(folder).toSorted();
const text = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** One process's file of five calls. */
const written = async (): Promise<string> => {
  const before = new Set(readdirSync(join(folder, '..')).includes('audit') ? files() : []);
  const audit = open();
  for (let n = 1; n <= 5; n++) audit.add(called(n));
  await audit.close();
  return files().find((file) => !before.has(file)) ?? '';
};

test('every call stands there at the end, in a file of the person alone', async () => {
  const file = await written();
  expect(file).toMatch(/^2026-11-29-\d+-[0-9a-f]{6}\.jsonl$/);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  const lines = text(file)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ mark, ids }) => mark ?? (ids as string[])[0])).toEqual([
    'open',
    'd1',
    'd2',
    'd3',
    'd4',
    'd5',
    'close',
  ]);
  expect(Object.keys(lines[1] ?? {}).toSorted()).toEqual(
    [
      'n',
      'at',
      'client',
      'session',
      'tool',
      'effect',
      'outcome',
      'received',
      'answered',
      'ms',
      'ids',
      'prev',
      'hash',
    ].toSorted(),
  );
  expect(await verifyAudit(folder)).toEqual({ files: 1, calls: 5, faults: [], notes: [] });
});

test.each<[string, (lines: string[]) => string[], number]>([
  ['changed', (lines) => lines.with(2, lines[2]?.replace('"ms":3', '"ms":4') ?? ''), 3],
  ['cut short', (lines) => lines.with(2, lines[2]?.slice(0, 40) ?? ''), 3],
  ['taken out', (lines) => lines.toSpliced(2, 1), 3],
  ['put elsewhere', (lines) => lines.with(2, lines[3] ?? '').with(3, lines[2] ?? ''), 3],
  ['written twice', (lines) => lines.toSpliced(2, 0, lines[2] ?? ''), 4],
  ['taken from the beginning', (lines) => lines.slice(1), 1],
  ['put in behind the last', (lines) => [...lines, lines[2] ?? ''], 8],
])('a line that was %s is found', async (_, tamper, line) => {
  const file = await written();
  writeFileSync(join(folder, file), `${tamper(text(file).trimEnd().split('\n')).join('\n')}\n`);
  const { faults } = await verifyAudit(folder);
  expect(faults[0]).toMatchObject({ file, line });
});

test('a crash is told apart: a torn last line, and no closing one', async () => {
  const file = await written();
  const whole = text(file);
  writeFileSync(join(folder, file), whole.slice(0, whole.indexOf('"n":4') + 30));
  const { faults, notes, calls } = await verifyAudit(folder);
  expect([faults, calls]).toEqual([[], 2]);
  expect(notes.map(({ line, what }) => `${line} ${what.slice(0, 12)}`)).toEqual(['4 torn last li', '3 no closing l']);
});

test('lines cut off from a file that was left open show once another process has begun', async () => {
  const file = await written();
  const lines = text(file).trimEnd().split('\n');
  const keep = (n: number): void =>
    writeFileSync(
      join(folder, file),
      lines
        .slice(0, n)
        .map((line) => `${line}\n`)
        .join(''),
    );
  keep(5);
  await written();
  expect((await verifyAudit(folder)).faults).toEqual([]);
  keep(3);
  expect((await verifyAudit(folder)).faults).toMatchObject([
    { file, line: 5, what: expect.stringContaining('cut off') as string },
  ]);
  rmSync(join(folder, file));
  expect((await verifyAudit(folder)).faults).toMatchObject([{ what: `it found ${file}, which is missing` }]);
});

test('the next day has a file of its own, which goes on from the one before; after 30 days a file goes', async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, '2026-10-29-1-aaaaaa.jsonl'), '');
  writeFileSync(join(folder, '2026-10-31-1-aaaaaa.jsonl'), '');
  const audit = open();
  audit.add(called(1));
  now += 86_400_000;
  audit.add(called(2));
  await audit.close();
  // The second day's beginning is 30 days behind the older one.
  expect(files().map((file) => file.slice(0, 10))).toEqual(['2026-10-31', '2026-11-29', '2026-11-30']);
  const [, first = '', second] = files();
  expect((await verifyAudit(folder)).faults).toEqual([]);
  writeFileSync(
    join(folder, first),
    text(first)
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join(''),
  );
  expect((await verifyAudit(folder)).faults).toMatchObject([{ file: second, line: 1 }]);
});

test('a folder that cannot be written delays nothing, and loses nothing once it can be', async () => {
  writeFileSync(folder, 'a file in its place');
  const said: string[] = [];
  const audit = openAudit({
    folder,
    log: { ...silentLog, error: (message) => void said.push(message) },
    clock: () => now,
  });
  audit.add(called(1));
  await expect.poll(() => said.length).toBe(1);
  rmSync(folder);
  audit.add(called(2));
  await audit.close();
  expect(await verifyAudit(folder)).toMatchObject({ calls: 2, faults: [], notes: [] });
});
