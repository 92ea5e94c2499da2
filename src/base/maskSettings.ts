// Whether secrets are masked in what is kept: every room that keeps text asks.
import { z } from 'zod';
import { forms, type SettingTable } from './settings.ts';

export const maskSettings = {
  redact: {
    schema: z.boolean(),
    default: true,
    editor: {
      scope: 'machine',
      description:
        'Mask passwords, tokens and private keys in everything that is stored, from the next store and the next cell on. What is masked is stored nowhere. ' +
        'It is a net of rules that go by names, places and known forms: a secret that has none of these, or a password of plain words, is stored as it is.',
    },
    variable: {
      name: 'LOOM_REDACT',
      meaning: 'mask what the rules take for secrets in what is stored',
      form: forms.flag,
      otherwise: '1',
    },
  },
} as const satisfies SettingTable;
