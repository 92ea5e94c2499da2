// Where Loom's programs lie.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether `programs` is the folder of the sources and not of the bundles. */
export const inSources = (programs: string): boolean => !existsSync(join(programs, 'engine.cjs'));

/** The file of the program `name` in the folder of programs: its bundle, or in the sources its `entry`. */
export const fileOf = (programs: string, name: string, entry = `${name}.ts`): string => {
  const bundle = join(programs, `${name}.cjs`);
  return existsSync(bundle) ? bundle : join(programs, entry);
};
