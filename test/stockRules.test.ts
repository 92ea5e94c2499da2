import { expect, test } from 'vitest';
import { changed } from '#scripts/stockRules.ts';

const change = { from: /grants(\w+)=yes/g, to: 'grants$1=no' };

test('one place is changed', () => {
  expect(changed('a;grantsAll=yes;b', 'main.js', change)).toBe('a;grantsAll=no;b');
});

test.for([
  ['a;b', 0],
  ['grantsAll=yes;grantsSome=yes', 2],
] as const)('%s is another VS Code: it is named, with what to do', ([text, places]) => {
  expect(() => changed(text, 'main.js', change)).toThrow(
    new RegExp(`^main\\.js: ${places} places match .*, one was expected.* mend scripts/stockRules\\.ts\\.$`),
  );
});
