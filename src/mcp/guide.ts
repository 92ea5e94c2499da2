// The session's primer as a prompt and as a resource.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Meta } from './caller.ts';

const primerUri = 'loom://primer';
const what = 'What Loom holds in this session, and what to call for what.';

/**
 * The session's primer as the prompt `loom` and as a resource: the same text that loom_activate answers. The prompt takes
 * no arguments and the resource has no template, so there is nothing to complete.
 */
export const offerPrimer = (server: Server, primer: (meta: Meta) => Promise<string>): void => {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [{ name: 'loom', title: 'Loom: begin', description: what }],
  }));
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
    if (params.name !== 'loom') throw new McpError(ErrorCode.InvalidParams, 'There is one prompt: loom.');
    const text = await primer(params._meta);
    return { description: what, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [{ uri: primerUri, name: 'primer', title: 'Loom: primer', description: what, mimeType: 'text/plain' }],
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    // -32002 is the protocol's code for a resource that there is not.
    if (params.uri !== primerUri) throw new McpError(-32_002, `There is one resource: ${primerUri}.`);
    return { contents: [{ uri: primerUri, mimeType: 'text/plain', text: await primer(params._meta) }] };
  });
};
