// The ledger's verbs of `loom`.
import { defineVerb, json, printJson } from '#base/verb.ts';
import { reportText } from './reportText.ts';

export const stats = defineVerb({
  name: 'stats',
  summary: 'what Loom kept out of prompts and what it cost, ever',
  needs: ['ledger'],
  options: { json },
  run: async (call) => {
    const report = await call.ledger.report({ life: true });
    if (call.options.json) printJson(call, report);
    else call.print(reportText(report));
    return 0;
  },
});
