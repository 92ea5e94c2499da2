// `loom check`.
import { runCheck } from './selfCheck.ts';
import { defineVerb, json, printJson } from '#base/verb.ts';

export const check = defineVerb({
  name: 'check',
  needs: ['program'],
  summary: 'try Loom through every kind of connection on a drawer of its own, one verdict a check',
  options: { json },
  more: ["Nothing of the user's own drawer is touched. The exit code is 1 where a check failed."],
  run: async (call) => {
    const { options, print, program, interruption } = call;
    const verdicts = await runCheck({
      programs: program.programs,
      signal: interruption(),
      onVerdict: ({ door, what, ok, seen }) => {
        if (!options.json) print(ok ? `ok      ${door}: ${what}` : `FAILED  ${door}: ${what}; saw: ${seen}`);
      },
    });
    const failed = verdicts.filter(({ ok }) => !ok).length;
    if (options.json) printJson(call, verdicts);
    else print(`${verdicts.length - failed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  },
});
