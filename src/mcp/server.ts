import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ServerNotification,
} from '@modelcontextprotocol/sdk/types.js';
import type { Disposable } from '#base/disposable.ts';
import { callTool, wordsFor, type CallHost } from '#mcp/call/call.ts';
import { callerOf, type Caller, type Meta } from './caller.ts';
import { clientLog } from './clientLog.ts';
import type { Toolset } from './defineTool.ts';
import { offerPrimer } from './guide.ts';
import { instructionsFor, listTools } from '#mcp/listing/render.ts';
import { primerText } from './primer.ts';
import { listingTexts } from '#mcp/listing/prompt.ts';
import { refusalOf } from '#mcp/call/refusal.ts';
import type { SchemaProfile, Surface } from '#mcp/listing/listing.ts';

export type ServerOptions = CallHost & {
  version: string;
  /** From `toolsetNamed`; asked each time, as a person may change it. */
  toolset: () => Toolset;
  /** From `schemaProfileNamed`; standard where it is left out. */
  schemaProfile?: SchemaProfile | undefined;
  /** Calls `listener` whenever what is listed may have changed; where it is left out, nothing changes. */
  onListingChange?: ((listener: () => void) => Disposable) | undefined;
  /** Names this connection where the client tells no conversation. */
  mcpSession: string;
  /** The kind of client; undefined: what the client calls itself. */
  client: string | undefined;
  /** The workspace root that the client works in. */
  root: () => string;
  /** Whether large results of other tools are kept in the drawer; not where it is left out. */
  archive?: () => boolean;
  /**
   * What else the client sends its model on each turn because Loom is installed, each text as it stands in the prompt:
   * contributed skills and agents. It is billed with the listing.
   */
  standing?: () => readonly string[];
};

/** One MCP server for one connection. */
export const createServer = (options: ServerOptions): Server => {
  const { engine, kernel, toolset, schemaProfile = 'standard', standing = () => [], archive = () => false } = options;
  const surface = (): Surface => ({
    toolset: toolset(),
    schemaProfile,
    trusted: options.trusted(),
    archive: archive(),
  });
  const server = new Server(
    { name: 'loom', title: 'Loom', version: options.version },
    {
      capabilities: {
        tools: { listChanged: options.onListingChange !== undefined },
        prompts: {},
        resources: {},
        logging: {},
      },
      instructions: instructionsFor(surface()),
    },
  );
  const log = clientLog(server, options.log);
  const client = (): string => options.client ?? server.getClientVersion()?.name ?? 'unknown';
  const caller = async (meta: Meta): Promise<Caller> =>
    callerOf(client(), await engine.session({ client: client(), root: options.root() }), options.mcpSession, meta);

  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    caller(params?._meta)
      .then((by) => engine.recordListing({ ...by, texts: [...listingTexts(surface(), by.client), ...standing()] }))
      .catch((error: unknown) => log.error('a listing was not billed', error));
    return { tools: listTools(surface()) };
  });

  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const token = params._meta?.progressToken;
    const progress = (share: number, words: string): void => {
      if (token === undefined) return;
      const notification: ServerNotification = {
        method: 'notifications/progress',
        params: { progressToken: token, progress: share, total: 1, message: words },
      };
      extra
        .sendNotification(notification)
        .catch((error: unknown) => log.warn(`progress was not sent: ${String(error)}`));
    };
    return callTool(
      { ...options, log },
      {
        name: params.name,
        arguments: params.arguments,
        surface: surface(),
        client: client(),
        root: options.root(),
        caller: () => caller(params._meta),
        control: { signal: extra.signal, progress },
      },
    );
  });
  offerPrimer(server, async (meta) => {
    const words = wordsFor(surface());
    try {
      return await primerText({ engine, kernel, caller: await caller(meta), ...words });
    } catch (error) {
      const { answer } = refusalOf(error, words.named, log);
      throw new McpError(ErrorCode.InternalError, answer.parts.join(''));
    }
  });
  const changes = options.onListingChange?.(() => {
    server.sendToolListChanged().catch((error: unknown) => options.log.debug(`list_changed: ${String(error)}`));
  });
  server.onclose = () => changes?.dispose();
  server.onerror = (error) => options.log.warn(`mcp: ${error.message}`);
  return server;
};
