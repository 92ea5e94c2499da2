import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onTinyDisk } from './tinyDisk.ts';

type Said = Record<'filled' | 'other' | 'later' | 'emptied', string> & Record<'live' | 'again', string[]>;

const header = (text = ''): string => text.replace(/^In \[\d+\] \w+, (\d+\.\d s, )?/, '').split('\n')[0] as string;

test('a cell that puts out more than a full disk takes: it completes, names stay, others run, and the gap is told', () => {
  const said = JSON.parse(onTinyDisk(4, join(import.meta.dirname, 'kernelFullDisk.ts'))) as Said;
  expect(said.filled).toMatch(/^In \[1\] completed, .* complete: no\n/);
  expect(said.filled).toMatch(/\n\[lines [\d,]+-[\d,]+ could not be written \(ENOSPC[^)]*\) and are not kept\]\n/);
  expect(said.other).toMatch(/^In \[2\] completed, .* complete: yes\nOut\[2\]: 42$/);
  for (const [first, last, middle, found] of [said.live, said.again]) {
    expect(first).toMatch(/could not be written.* \| complete: yes\nline 0\nline 1$/);
    expect(last).toMatch(/ of 750,000 .* \| complete: yes\nline 749999$/);
    expect(middle).toMatch(
      /complete: no\n\[lines [\d,]+-[\d,]+ could not be written \(ENOSPC[^)]*\) and are not kept\]$/,
    );
    expect(found).toMatch(/ \| complete: no\nM 750000 \| line 749999$/);
  }
  expect(said.again.map(header)).toEqual(said.live.map(header));
  expect(said.later).toMatch(/^In \[4\] completed, .* of 100,000 \| complete: yes\nmore 99999$/);
  expect(said.emptied).toContain('its file is damaged or gone, at least in part');
});
