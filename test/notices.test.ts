import { expect, test } from 'vitest';
import { faultsOf, makeNotices, packageOf, shippedOf, type Shipped } from '#scripts/notices.ts';
import { root } from './fixtures.ts';

test.each([
  ['src/engine.ts', undefined],
  ['node_modules/zod/v4/core/index.js', 'zod'],
  ['node_modules/@scope/name/lib/a.js', '@scope/name'],
  ['../node_modules/a/node_modules/b/index.js', 'b'],
])('the package that %s is of', (input, name) => expect(packageOf(input)).toBe(name));

test('what is shipped stands with its licence, and parts of it with theirs', () => {
  const text = makeNotices(['node_modules/zod/v4/core/index.js', 'src/engine.ts'], ['pyodide', 'sql.js'], root);
  for (const part of [
    /\nzod [\d.]+\nLicence: MIT\n/,
    /\npyodide [\d.]+\nLicence: MPL-2.0\n/,
    /\nPython, .* as in pyodide/,
  ])
    expect(text).toMatch(part);
  for (const words of ['Mozilla Public License Version 2.0', 'PYTHON SOFTWARE FOUNDATION LICENSE', 'Public domain'])
    expect(text).toContain(words);
});

const shipped = (more: Partial<Shipped>): Shipped => ({
  name: 'one',
  version: '1.0.0',
  license: 'MIT',
  source: 'https://example.org',
  texts: ['Permission is hereby granted'],
  ...more,
});

test.each<[what: string, Partial<Shipped>, RegExp | undefined]>([
  ['a licence and its text', {}, undefined],
  ['one of two', { license: '(GPL-2.0 OR MIT)' }, undefined],
  ['one that is none of ours', { license: 'GPL-3.0' }, /^one is under "GPL-3.0"/],
  ['none', { license: '' }, /^one is under ""/],
  ['one without its text', { texts: [] }, /^one brings no text/],
  ['the public domain', { license: 'Public domain', texts: [] }, undefined],
])('%s', (_, more, fault) => {
  const [found] = faultsOf([shipped(more)]);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(fault);
});

test('a package without a licence is found where it is bundled', () => {
  expect(() => shippedOf(['node_modules/not-there/index.js'], [], root)).toThrow(/not-there/);
});
