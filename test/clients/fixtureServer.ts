// What @modelcontextprotocol/conformance asks a server to have, by the names and shapes that its scenarios state. Loom's tools
// are other ones; the host in front of these is Loom's own.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CallToolResult,
  type ContentBlock,
  type ElicitRequestFormParams,
  type GetPromptResult,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Args = Record<string, unknown>;
type Fixture = {
  description: string;
  inputSchema?: { type: 'object' } & Record<string, unknown>;
  run: (args: Args, extra: Extra) => Promise<CallToolResult> | CallToolResult;
};

/** One red pixel; eight samples of silence. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const wav = 'UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==';

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const image: ContentBlock = { type: 'image', data: png, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, words: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});
const content = (...blocks: ContentBlock[]): CallToolResult => ({ content: blocks });
const string = { type: 'string' } as const;
const object = (properties: Record<string, unknown>) =>
  ({ type: 'object', properties, required: Object.keys(properties) }) as const;

// `extra` sends on the call's own stream. The server would on the session's, which a client may not have opened yet.
const elicit = async ({ sendRequest }: Extra, schema: object, message = 'Fill this in.'): Promise<CallToolResult> => {
  const requestedSchema = schema as ElicitRequestFormParams['requestedSchema'];
  const params = { message, requestedSchema };
  const { action, content: given } = await sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema);
  return content(text(`Elicitation completed: action=${action}, content=${JSON.stringify(given)}`));
};

const choices = ['option1', 'option2', 'option3'];
const titled = [1, 2, 3].map((n) => ({ const: `value${n}`, title: `Choice ${n}` }));

const tools: Record<string, Fixture> = {
  test_simple_text: { description: 'Text.', run: () => content(text('A plain text.')) },
  test_image_content: { description: 'A picture.', run: () => content(image) },
  test_audio_content: {
    description: 'A sound.',
    run: () => content({ type: 'audio', data: wav, mimeType: 'audio/wav' }),
  },
  test_embedded_resource: {
    description: 'A resource within the answer.',
    run: () => content(resource('test://embedded-resource', 'text/plain', 'Embedded.')),
  },
  test_multiple_content_types: {
    description: 'Text, a picture and a resource.',
    run: () => content(text('Several:'), image, resource('test://mixed-content-resource', 'application/json', '{}')),
  },
  test_tool_with_logging: {
    description: 'Three log messages.',
    run: async (_, { sendNotification }) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        await sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
      return content(text('Logged.'));
    },
  },
  test_tool_with_progress: {
    description: 'Three steps of progress.',
    run: async (_, { _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken ?? 0;
      for (const progress of [0, 50, 100])
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100, message: `${progress} of 100` },
        });
      return content(text('Done.'));
    },
  },
  test_error_handling: {
    description: 'A refusal.',
    run: () => ({ ...content(text('This tool refuses, as it should.')), isError: true }),
  },
  test_sampling: {
    description: 'Asks the client’s model.',
    inputSchema: object({ prompt: string }),
    run: async ({ prompt }, { sendRequest }) => {
      const message = { role: 'user' as const, content: { type: 'text' as const, text: String(prompt) } };
      const { content: said } = await sendRequest(
        { method: 'sampling/createMessage', params: { messages: [message], maxTokens: 100 } },
        CreateMessageResultSchema,
      );
      return content(text(`LLM response: ${said.type === 'text' ? said.text : said.type}`));
    },
  },
  test_elicitation: {
    description: 'Asks the person.',
    inputSchema: object({ message: string }),
    run: ({ message }, extra) => elicit(extra, object({ username: string, email: string }), String(message)),
  },
  test_elicitation_sep1034_defaults: {
    description: 'Asks with defaults.',
    run: (_, extra) =>
      elicit(extra, {
        type: 'object',
        properties: {
          name: { ...string, default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { ...string, enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        },
      }),
  },
  test_elicitation_sep1330_enums: {
    description: 'Asks with every kind of choice.',
    run: (_, extra) =>
      elicit(extra, {
        type: 'object',
        properties: {
          untitledSingle: { ...string, enum: choices },
          titledSingle: { ...string, oneOf: titled },
          legacyEnum: { ...string, enum: ['opt1', 'opt2'], enumNames: ['One', 'Two'] },
          untitledMulti: { type: 'array', items: { ...string, enum: choices } },
          titledMulti: { type: 'array', items: { anyOf: titled } },
        },
      }),
  },
  test_reconnection: { description: 'An answer that may come late.', run: () => content(text('Here.')) },
  json_schema_2020_12_tool: {
    description: 'A schema of 2020-12.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { type: 'object', properties: { street: string, city: string } } },
      properties: { name: string, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
    run: () => content(text('Read.')),
  },
};

const resources = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain', text: 'Static.' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png', blob: png },
  { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain', text: 'Watched.' },
];

const user = (block: ContentBlock): GetPromptResult['messages'][number] => ({ role: 'user', content: block });
const argument = (name: string) => ({ name, description: `The ${name}.`, required: true });

const prompts: Record<string, { arguments?: ReturnType<typeof argument>[]; say: (args: Args) => ContentBlock[] }> = {
  test_simple_prompt: { say: () => [text('A plain prompt.')] },
  test_prompt_with_arguments: {
    arguments: [argument('arg1'), argument('arg2')],
    say: ({ arg1, arg2 }) => [text(`arg1='${String(arg1)}', arg2='${String(arg2)}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: [argument('resourceUri')],
    say: ({ resourceUri }) => [resource(String(resourceUri), 'text/plain', 'Embedded.'), text('Read it.')],
  },
  test_prompt_with_image: { say: () => [image, text('Look at it.')] },
};

const known = <T>(table: Record<string, T>, name: string): T => {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry === undefined) throw new Error(`there is no ${name}`);
  return entry;
};

const read = (uri: string) => {
  const id = /^test:\/\/template\/(.+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) return { uri, mimeType: 'application/json', text: JSON.stringify({ id }) };
  const { name: _, ...found } = known(Object.fromEntries(resources.map((one) => [one.uri, one])), uri);
  return found;
};

const serveResources = (server: Server): void => {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({ contents: [read(params.uri)] }));
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
};

/** One server for one session, as `createServer` makes Loom's own. */
export const createFixtureServer = (): Server => {
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} };
  const server = new Server({ name: 'fixtures', version: '1' }, { capabilities });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, { description, inputSchema = { type: 'object' } }]) => ({
      name,
      description,
      inputSchema,
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) =>
    known(tools, params.name).run(params.arguments ?? {}, extra),
  );
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: Object.entries(prompts).map(([name, { arguments: args = [] }]) => ({
      name,
      description: `The prompt ${name}.`,
      arguments: args,
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => ({
    messages: known(prompts, params.name)
      .say(params.arguments ?? {})
      .map(user),
  }));
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => ({
    completion: { values: ['paris', 'park'].filter((word) => word.startsWith(params.argument.value)) },
  }));
  server.setRequestHandler(SetLevelRequestSchema, () => ({}));
  serveResources(server);
  return server;
};
