// `ctx_store`: text that a call carries.
import { z } from 'zod';
import { encodeText } from '#base/text.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { storeInOwnOrThrow } from './ownSession.ts';
import { budget, keep, rareFields, unlisted, title } from './storeFields.ts';
import { idsOf, storedText } from './storedText.ts';

export const store = defineTool({
  name: 'ctx_store',
  title: 'Store text in the drawer',
  description:
    'Use when you hold a long text that you will need again later and it is in no file: it is kept exactly, and you get an ' +
    'outline, the lines that matter and an id. Not for files (ctx_store_file reads them without passing them through you), ' +
    'nor for a few lines: they come back as they are.',
  toolsets: ['core', 'drawer'],
  effect: 'keep',
  needs: ['drawer'],
  input: z.object({ text: z.string().describe('The text, exactly.'), title, budget, keep, ...rareFields }),
  unlisted,
  example: { text: '2026-11-29 12:00:01 ERROR …', title: 'build log' },
  run: async ({ text, session, explain = false, ...rest }, { drawer, caller, control, named }) => {
    storeInOwnOrThrow(caller, session);
    const stored = await drawer.store(
      { session: caller.session, account: caller, bytes: encodeText(text), source: { kind: 'text' }, ...rest },
      control,
    );
    return { parts: [storedText(stored, named, explain)], through: text, ids: idsOf([stored]) };
  },
});
