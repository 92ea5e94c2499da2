import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '#base/log.ts';
import { Connections, type Connection } from '#mcp/http/connections.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minute = 60_000;
const closed: string[] = [];
const session = (id: string, rights: Connection['rights'] = 'all'): Connection => ({
  id,
  rights,
  transport: undefined as unknown as Connection['transport'],
  close: async () => void closed.push(id),
});

test('a session that nobody uses is closed after half an hour, one with a request under way is not', () => {
  const sessions = new Connections(silentLog);
  for (const id of ['idle', 'late', 'running']) sessions.add(session(id));
  const running = sessions.use('running');
  vi.advanceTimersByTime(20 * minute);
  sessions.use('late').dispose();
  vi.advanceTimersByTime(11 * minute);
  expect(closed.splice(0)).toEqual(['idle']);
  vi.advanceTimersByTime(31 * minute);
  expect(closed.splice(0)).toEqual(['late']);
  running.dispose();
  vi.advanceTimersByTime(32 * minute);
  expect(closed.splice(0)).toEqual(['running']);
  sessions.dispose();
});

test('there is room as long as one is idle: the one that was idle longest goes', () => {
  const sessions = new Connections(silentLog);
  for (let n = 0; n < 256; n++) {
    expect(sessions.hasRoom('all')).toBe(true);
    sessions.add(session(`s${n}`));
    if (n > 1) sessions.use(`s${n}`);
    vi.advanceTimersByTime(10);
  }
  expect(sessions.hasRoom('all')).toBe(true);
  expect([closed.splice(0), sessions.size]).toEqual([['s0'], 255]);
  sessions.use('s1');
  sessions.add(session('s256'));
  sessions.use('s256');
  expect(sessions.hasRoom('all')).toBe(false);
  sessions.dispose();
  expect(closed.splice(0)).toHaveLength(256);
});

test('those without a token take no place from those with one', () => {
  const sessions = new Connections(silentLog);
  sessions.add(session('proven'));
  for (let n = 0; n < 300; n++) {
    expect(sessions.hasRoom('discovery')).toBe(true);
    sessions.add(session(`stranger ${n}`, 'discovery'));
  }
  expect(closed.splice(0)).toEqual(Array.from({ length: 268 }, (_, n) => `stranger ${n}`));
  expect(sessions.get('proven')).toBeDefined();
  for (let n = 0; n < 255; n++) {
    expect(sessions.hasRoom('reading')).toBe(true);
    sessions.add(session(`reader ${n}`, 'reading'));
  }
  expect(closed.splice(0)).toEqual([]);
  expect(sessions.hasRoom('all')).toBe(true);
  expect(closed.splice(0)).toEqual(['proven']);
  sessions.dispose();
  closed.splice(0);
});
