/** What LOOM_DB_PASSWORD means to a program that is started with it. */
import type { Keys } from './types.ts';

/** `person`: one reads what the program says, and is told the recovery key of a drawer that it makes. */
export const passwordKeys = (password: string | undefined, person: boolean): Keys =>
  password === undefined
    ? {}
    : // Whoever lost the passphrase sets the variable to the recovery key.
      { passphrase: password, recoveryKey: password, onlySealed: { recoveryKey: person } };

/** For the person, once, and never for a log. */
export const recoveryKeyText = (key: string): string =>
  [
    `Its recovery key, shown only now: ${key}`,
    'It opens the drawer where the passphrase is lost (set LOOM_DB_PASSWORD to it): keep it somewhere safe.',
  ].join('\n');
