// `loom audit verify`.
import { join } from 'node:path';
import { counted } from '#base/text.ts';
import { verifyAudit, type AuditFault } from '#mcp/audit/verify.ts';
import { defineVerb, json, printJson } from '#base/verb.ts';

const line = ({ file, line: at, what }: AuditFault): string => `${file}:${at}: ${what}`;

export const auditVerify = defineVerb({
  name: 'audit verify',
  needs: ['program'],
  summary: 'look whether a line of the audit was changed, removed or put elsewhere',
  options: { json },
  more: ["It looks at audit/ in the drawer's folder and changes nothing. The exit code is 1 where something is amiss."],
  run: async (call) => {
    const verdict = await verifyAudit(join(call.program.folder, 'audit'));
    const { files, calls, faults, notes } = verdict;
    if (call.options.json) printJson(call, verdict);
    else {
      for (const fault of faults) call.print(`CHANGED ${line(fault)}`);
      for (const note of notes) call.print(`note    ${line(note)}`);
      call.print(`${counted(calls, 'call')} in ${counted(files, 'file')}: ${counted(faults.length, 'fault')}.`);
    }
    return faults.length === 0 ? 0 : 1;
  },
});
