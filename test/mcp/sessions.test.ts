import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '#base/log.ts';
import { Connections, type Connection } from '#mcp/http/connections.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minute = 60_000;
const closed: string[] = [];
const session = (id: string): Connection => ({
  id,
  readOnly: false,
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
    expect(sessions.hasRoom()).toBe(true);
    sessions.add(session(`s${n}`));
    if (n > 1) sessions.use(`s${n}`);
    vi.advanceTimersByTime(10);
  }
  expect(sessions.hasRoom()).toBe(true);
  expect([closed.splice(0), sessions.size]).toEqual([['s0'], 255]);
  sessions.use('s1');
  sessions.add(session('s256'));
  sessions.use('s256');
  expect(sessions.hasRoom()).toBe(false);
  sessions.dispose();
  expect(closed.splice(0)).toHaveLength(256);
});
