import { onTestFinished } from 'vitest';
import { remove, scratch } from '../fixtures.ts';

/** A folder that goes with the test. */
export const temporary = (): string => {
  const folder = scratch();
  onTestFinished(() => remove(folder));
  return folder;
};
