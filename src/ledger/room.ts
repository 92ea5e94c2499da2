// The ledger: what Loom keeps out of the prompt and what it costs, entry by entry.
import { z } from 'zod';
import type { Client } from '#base/rpc.ts';
import { forms, type SettingTable } from '#base/settings.ts';
import { counters, defaultCounter, type LedgerInside, type LedgerService } from './types.ts';

export const ledgerSettings = {
  tokenizer: {
    schema: z.enum(counters),
    default: defaultCounter,
    editor: {
      scope: 'machine',
      description:
        'What the ledger counts tokens by, from the next start of the window on. Entries keep what counted them, and sums over both say so.',
      enumDescriptions: ['The tokenizer of GPT-4o and later models.', 'The tokenizer of GPT-4 and GPT-3.5.'],
    },
    variable: { name: 'LOOM_COUNTER', meaning: 'the tokenizer that counts', form: forms.oneOf(counters) },
  },
  'statusBar.enabled': {
    schema: z.boolean(),
    default: true,
    editor: {
      scope: 'window',
      description:
        'Show in the status bar what Loom gained or cost in this window, once the agent has called it. What keeps the drawer from working is shown in any case.',
    },
  },
} as const satisfies SettingTable;

declare module '#base/room.ts' {
  interface Services {
    ledger: Client<LedgerService>;
  }
  interface Inside {
    ledger: LedgerInside;
  }
}
