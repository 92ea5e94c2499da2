import { expect, test } from 'vitest';
import { Program, scratch } from './harness.ts';

test('a client of a drawer of 100 MB needs less than 20 MB more than one of an empty drawer', async () => {
  const [large, empty] = [scratch(), scratch()];
  const [owner, second, ...clients] = await Program.start(4);
  await owner!.open(large);
  await second!.open(empty);
  const fill = { name: 'fill' as never, args: { name: 'big', count: 1_600, size: 65_536 } as never };
  expect(await owner!.tell('call', fill)).toBe(1_600);
  expect((await owner!.tell('health')).imageBytes).toBeGreaterThan(100_000_000);
  const [ofLarge, ofEmpty] = await Promise.all(
    [large, empty].map(async (folder, i) => {
      expect(await clients[i]!.open(folder)).toBe('client');
      for (let n = 1; n <= 20; n++) {
        const add = { name: 'add' as never, args: { writer: 'c', n, body: new Uint8Array(2_000) } as never };
        await clients[i]!.tell('call', add);
        await clients[i]!.tell('call', { name: 'count' as never, args: undefined as never });
      }
      return clients[i]!.tell('memory');
    }),
  );
  expect(ofLarge! - ofEmpty!).toBeLessThan(20_000_000);
});
