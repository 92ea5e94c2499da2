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
        'Mask passwords, tokens and private keys in everything that is stored, from the next store and the next cell on.',
    },
    variable: { name: 'LOOM_REDACT', meaning: 'mask secrets in what is stored', form: forms.flag, otherwise: '1' },
  },
} as const satisfies SettingTable;
