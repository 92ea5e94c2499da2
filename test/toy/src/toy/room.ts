// The toy: words that a session wrote down, and a worker that turns them around.
import { z } from 'zod';
import type { ErrorTable } from '#base/errors.ts';
import { forms, type SettingTable } from '#base/settings.ts';
import type { ToyHost } from './types.ts';

export const toyErrors = {
  TOY_FULL: { category: 'limit', retryable: false, cause: 'The toy has its words.', fix: 'Raise loom.toy.mostWords.' },
} as const satisfies ErrorTable;

export const toySettings = {
  'toy.mostWords': {
    schema: z.number().int().min(1),
    default: 2,
    editor: { scope: 'machine', description: 'How many words the toy holds.' },
    variable: { name: 'LOOM_TOY_WORDS', meaning: 'how many words the toy holds', form: forms.positive },
  },
} as const satisfies SettingTable;

declare module '#base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof toyErrors, true> {}
}
declare module '#base/room.ts' {
  interface Services {
    toy: ToyHost;
  }
}
