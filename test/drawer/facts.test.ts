import { expect, test } from 'vitest';
import { checkFacts } from '#drawer/search/facts.ts';
import { rig } from './rig.ts';
import * as samples from './samples.ts';

test.each([true, false])('in the anchor, retrievable or absent (unindexed: %s)', async (unindexed) => {
  const it = await rig({ unindexed });
  const lines = samples.serviceLog(4000).split('\n');
  lines.splice(1500, 0, '2026-11-29T08:00:00.000Z INFO [http] GET /api/orders/123123 200 in 77 ms id=abcabc12');
  lines.splice(2500, 0, 'the valve is shut', 'by   hand at night');
  const { id = '' } = await it.put(lines.join('\n'), { title: 'service.log' });
  await it.indexed();
  const facts = [
    'charge failed for order ORD-77121',
    'CHARGE FAILED',
    '/api/orders/123123 200 in 77 ms',
    'abcabc1',
    'shut by hand',
    'the valve is open',
    'ORD-77122',
    'complete: no',
    '',
  ];
  const checked = await checkFacts(it.store.call, { session: it.session, facts, doc: id });
  expect(checked.map(({ where }) => where)).toEqual([
    'anchor',
    'anchor',
    'retrievable',
    'retrievable',
    'retrievable',
    'absent',
    'absent',
    'absent',
    'absent',
  ]);
  expect(checked[2]?.places).toEqual([{ doc: id, title: 'service.log', lines: [1501, 1501] }]);
  expect(checked[4]?.places[0]?.lines).toEqual([2501, 2502]);
  expect(checked[0]?.anchor).toBe(id);
});

test('only in the own session, and in all of its documents where none is named', async () => {
  const it = await rig();
  await it.put('the pump has 12 valves', { title: 'pump' });
  const { id } = await it.put('the boiler has 14 valves', { title: 'boiler' });
  await it.indexed();
  const other = await it.drawer.session({ client: 'other', root: '/project' });
  const ask = (session: string) => checkFacts(it.store.call, { session, facts: ['14 valves'] });
  expect(await ask(it.session)).toMatchObject([{ where: 'retrievable', places: [{ doc: id }] }]);
  expect(await ask(other)).toMatchObject([{ where: 'absent', places: [] }]);
  await expect(checkFacts(it.store.call, { session: other, facts: ['x'], doc: id })).rejects.toMatchObject({
    code: 'OTHER_SESSION',
  });
});
