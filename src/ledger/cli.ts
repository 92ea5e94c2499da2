// The ledger's verbs of `loom`.
import { LoomError } from '#base/errors.ts';
import { defineVerb, json, printJson } from '#base/verb.ts';
import { reportText } from './reportText.ts';

export const stats = defineVerb({
  name: 'stats',
  summary: 'what Loom kept out of prompts and what it cost, ever or in one session',
  needs: ['ledger'],
  options: { session: { type: 'string', value: 'ID', meaning: 'only this one (loom sessions lists them)' }, json },
  run: async (call) => {
    const { session } = call.options;
    const scope = session === undefined ? ({ life: true } as const) : { session };
    if (session !== undefined && (await call.ledger.entries({ session, offset: 0, limit: 1 })).total === 0)
      throw new LoomError('NOT_FOUND', `No session "${session}" has an entry. loom sessions lists them.`);
    const report = await call.ledger.report(scope);
    if (call.options.json) printJson(call, report);
    else call.print(reportText(report));
    return 0;
  },
});
