// The ledger in the engine: its tables and operations, and the bill that other rooms put into theirs.
import type { EngineDeps, EnginePart } from '#base/room.ts';
import { billOutput, billStored } from './bill.ts';
import { recordMoved } from './entries.ts';
import { createLedger } from './ledger.ts';
import { ledgerMigrations } from './migrations.ts';
import { ledgerOperations } from './operations.ts';
import { ledgerSettings } from './room.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';
import type { LedgerInside, LedgerWithin } from './types.ts';

const within: LedgerWithin = { recordMoved };

export const engine: EnginePart = {
  migrations: ledgerMigrations,
  within,
  operations: () => ledgerOperations,
  uncapped: ['ledger.append'] satisfies (keyof typeof ledgerOperations)[],
  create: ({ call, log, settings }: EngineDeps<typeof ledgerOperations>) => {
    // For the whole run: an entry keeps what counted it.
    const { tokenizer: counter } = settings(ledgerSettings);
    const { dispose, ...service } = createLedger({ call, log, counter, clock: Date.now });
    const inside: LedgerInside = {
      counter,
      within,
      countTokens: (text) => countTokens(text, counter),
      billStored: (content) => billStored({ ...content, counter }),
      billOutput: (output) => billOutput({ ...output, counter }),
    };
    return { service, inside, close: dispose };
  },
};
