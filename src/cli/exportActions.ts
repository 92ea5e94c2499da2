// `loom export-actions`.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '#base/text.ts';
import type { Tool } from '#mcp/defineTool.ts';
import { actionManifest, cedarSchema } from '#mcp/listing/actionSchema.ts';
import { defineVerb, UsageError } from '#base/verb.ts';

const formats: Record<string, (tools: readonly Tool[]) => string> = {
  json: (tools) => `${JSON.stringify(actionManifest(tools), undefined, 2)}\n`,
  cedar: cedarSchema,
};

export const exportActions = defineVerb({
  name: 'export-actions',
  needs: ['program'],
  summary: 'write every tool with its schema and effect, for a policy engine',
  options: {
    format: { type: 'string', value: 'F', short: 'f', meaning: `${Object.keys(formats).join(', ')} (json)` },
    output: { type: 'string', value: 'FILE', short: 'o', meaning: '- for stdout (-)' },
  },
  more: ['Example: loom export-actions --format cedar -o loom.cedarschema'],
  run: async ({ program, options: { format = 'json', output = '-' }, write, note }) => {
    const { tools } = program.house;
    const make = Object.hasOwn(formats, format) ? formats[format] : undefined;
    if (make === undefined) throw new UsageError(`--format ${format} is none of ${Object.keys(formats).join(', ')}.`);
    if (output === '-') write(make(tools));
    else {
      writeFileSync(resolve(output), make(tools));
      note(`${counted(tools.length, 'tool')} written to ${resolve(output)}.`);
    }
    return 0;
  },
});
