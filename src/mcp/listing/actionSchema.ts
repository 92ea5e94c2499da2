// Every tool with its effect, for a policy engine.
import { annotationsOf, type Annotations } from './annotations.ts';
import type { Effect, Tool } from '#mcp/defineTool.ts';
import { inputSchema } from './schema.ts';

type Json = { [key: string]: unknown };

/** What `tools/list` says of a tool, and what a policy engine needs besides. */
export type ToolAction = {
  name: string;
  title: string;
  description: string;
  inputSchema: Json;
  annotations: Annotations;
  loom: { effect: Effect; toolsets: readonly string[] };
};

/** Every tool in the form of `tools/list`, with all its arguments, also those that a listing leaves out. */
export const actionManifest = (tools: readonly Tool[]): { tools: ToolAction[] } => ({
  tools: tools.map(({ name, title, description, input, effect, toolsets }) => ({
    name,
    title,
    description,
    inputSchema: inputSchema(input),
    annotations: annotationsOf[effect],
    loom: { effect, toolsets: [...toolsets, 'all'] },
  })),
});

/** Cedar has no floats, no unions and no maps: a number is a decimal, what has no type of its own is its JSON. */
const cedarType = (schema: Json): string => {
  if (schema['type'] === 'string') return 'String';
  if (schema['type'] === 'integer') return 'Long';
  if (schema['type'] === 'number') return 'decimal';
  if (schema['type'] === 'boolean') return 'Bool';
  if (schema['type'] === 'array') return `Set<${cedarType((schema['items'] ?? {}) as Json)}>`;
  return schema['properties'] === undefined ? 'String' : cedarRecord(schema);
};

const cedarRecord = ({ properties = {}, required = [] }: Json): string => {
  const fields = Object.entries(properties as Record<string, Json>).map(
    ([name, schema]) =>
      `${JSON.stringify(name)}${(required as string[]).includes(name) ? '' : '?'}: ${cedarType(schema)}`,
  );
  return fields.length === 0 ? '{}' : `{\n    ${fields.join(',\n    ')},\n  }`;
};

const group: Record<Effect, string> = {
  read: 'Read',
  keep: 'Keep',
  write: 'Write',
  destructive: 'Destructive',
  execute: 'Execute',
};

/** `ctx_store_file` as `CtxStoreFileInput`. */
const inputName = (name: string): string =>
  `${name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Input`;

const cedarTool = ({ name, input, effect }: Tool): string =>
  `  type ${inputName(name)} = ${cedarRecord(inputSchema(input))};
  action "${name}" in [${JSON.stringify(group[effect])}] appliesTo {
    principal: [Agent],
    resource: [Drawer],
    context: { "input": ${inputName(name)} },
  };`;

/**
 * The tools as a Cedar schema: one action a tool in the group of its effect, its arguments as `context.input`. What removes
 * is also a write.
 */
export const cedarSchema = (tools: readonly Tool[]): string =>
  [
    'namespace Loom {',
    "  // A client in a folder: what a drawer's session belongs to.",
    '  entity Agent = { "client": String, "folder": String };',
    '  entity Drawer = { "folder": String };',
    ...Object.values(group).map(
      (name) => `  action "${name}"${name === group.destructive ? ` in ["${group.write}"]` : ''};`,
    ),
    ...tools.map(cedarTool),
    '}',
    '',
  ].join('\n');
