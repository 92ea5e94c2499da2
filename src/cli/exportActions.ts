import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '#base/text.ts';
import { actionManifest, cedarSchema } from '#mcp/listing/actionSchema.ts';
import { tools } from '#mcp/tools/index.ts';
import { defineCommand, UsageError } from './defineVerb.ts';

const formats: Record<string, () => string> = {
  json: () => `${JSON.stringify(actionManifest(tools), undefined, 2)}\n`,
  cedar: () => cedarSchema(tools),
};

export const exportActions = defineCommand({
  name: 'export-actions',
  summary: 'write every tool with its schema and effect, for a policy engine',
  options: {
    format: { type: 'string', value: 'F', short: 'f', meaning: `${Object.keys(formats).join(', ')} (json)` },
    output: { type: 'string', value: 'FILE', short: 'o', meaning: '- for stdout (-)' },
  },
  more: ['Example: loom export-actions --format cedar -o loom.cedarschema'],
  run: async ({ options: { format = 'json', output = '-' }, write, note }) => {
    const make = Object.hasOwn(formats, format) ? formats[format] : undefined;
    if (make === undefined) throw new UsageError(`--format ${format} is none of ${Object.keys(formats).join(', ')}.`);
    if (output === '-') write(make());
    else {
      writeFileSync(resolve(output), make());
      note(`${counted(tools.length, 'tool')} written to ${resolve(output)}.`);
    }
    return 0;
  },
});
