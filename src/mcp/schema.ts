import { z } from 'zod';

type Json = { [key: string]: unknown };

// zod states the range of every safe integer; a listing is paid for on each turn, and no caller needs it.
const withoutNoise = ({ jsonSchema }: { jsonSchema: Json }): void => {
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
};

/** The draft-07 schema of a tool's arguments as they are written: fields with a default are not required. */
export const inputSchema = (input: z.ZodObject): Json & { type: 'object' } => {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { target: 'draft-7', io: 'input', override: withoutNoise });
  return schema as Json & { type: 'object' };
};
