// JSON schemas of arguments and answers.
import { z } from 'zod';

type Json = { [key: string]: unknown };
export type JsonSchema = Json & { type: 'object'; properties?: Record<string, Json> };

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

// zod states the range of every safe integer; a listing is paid for on each turn, and no caller needs it.
// It also says of an open object that it may have anything.
const withoutNoise = ({ jsonSchema }: { jsonSchema: Json }): void => {
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (isEmpty(jsonSchema['additionalProperties'])) {
    delete jsonSchema['additionalProperties'];
    if (isEmpty(jsonSchema['properties'])) delete jsonSchema['properties'];
  }
};

const schema = (object: z.ZodObject, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(object, { target: 'draft-7', io, override: withoutNoise });
  return rest as JsonSchema;
};

/** The draft-07 schema of a tool's arguments as they are written: fields with a default are not required. */
export const inputSchema = (input: z.ZodObject): JsonSchema => schema(input, 'input');

/** What an answer of a tool is that has nothing else for programs: its text. */
const textFields = { text: z.string().describe('The answer.') };

/** What stands in a structured answer in place of everything else where a call was refused. */
const refusalFields = {
  code: z.string().optional().describe('Only where the call was refused: why.'),
  category: z.string().optional().describe('Its kind.'),
  retryable: z.boolean().optional().describe('Whether the same call may pass later.'),
};

/**
 * The draft-07 schema of a structured answer, of `output` or the plain text. A router answers for others. Clients hold refusals against it too, and a schema may have no `anyOf` at the
 * top, so no field is required: there are those of the answer, or those of the refusal.
 */
export const outputSchema = (output: z.ZodObject = z.object(textFields)): JsonSchema =>
  schema(z.looseObject({ ...output.partial().shape, ...refusalFields }), 'output');
