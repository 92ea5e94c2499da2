// One MCP server for one connection.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ServerNotification,
} from '@modelcontextprotocol/sdk/types.js';
import type { Disposable } from '#base/disposable.ts';
import type { CallControl } from '#base/rpc.ts';
import { callTool, contextOf, type House } from './call/call.ts';
import { refusalOf } from './call/refusal.ts';
import { callerOf, clientName, type Caller, type Meta } from './caller.ts';
import { clientLog } from './clientLog.ts';
import { offerPrimer } from './guide.ts';
import { listingOf, type Listing, type SchemaProfile } from './listing/listing.ts';
import { namedFor } from './listing/naming.ts';
import { listingTexts } from './listing/prompt.ts';
import { instructionsFor, listTools } from './listing/render.ts';
import type { Toolset } from './listing/toolsets.ts';
import { primerText } from './primer.ts';

export type ServerOptions = {
  house: House;
  version: string;
  /** From `toolsetNamed`; asked each time, as a person may change it. */
  toolset: () => Toolset;
  /** Whether whoever connected may only read and keep, whatever toolset is listed; not where it is left out. */
  readOnly?: () => boolean;
  /** From `schemaProfileNamed`; standard where it is left out. */
  schemaProfile?: SchemaProfile | undefined;
  /** Calls `listener` whenever what is listed may have changed; where it is left out, nothing changes. */
  onListingChange?: ((listener: () => void) => Disposable) | undefined;
  /** Names this connection where the client tells no conversation. */
  mcpSession: string;
  /** The kind of client; undefined: what the client calls itself. */
  client: string | undefined;
  /** Sentences behind the instructions. */
  moreInstructions?: () => readonly string[];
  /**
   * What else the client sends its model on each turn because Loom is installed, each text as it stands in the prompt:
   * contributed skills and agents. It is billed with the listing.
   */
  standing?: () => readonly string[];
  /** False where whoever connected showed no token: nothing is written for them, so no bill either. */
  billed?: boolean;
  /** Hears who called a tool. */
  onCall?: (caller: Caller) => void;
};

type Extra = { signal: AbortSignal; sendNotification: (notification: ServerNotification) => Promise<void> };

/** How a call is followed: its progress goes to the client, where that gave a token for it. */
const controlOf = (
  { signal, sendNotification }: Extra,
  token: string | number | undefined,
  warn: (message: string) => void,
): CallControl => ({
  signal,
  progress: (share, words) => {
    if (token === undefined) return;
    const params = { progressToken: token, progress: share, total: 1, message: words };
    sendNotification({ method: 'notifications/progress', params }).catch((error: unknown) =>
      warn(`progress was not sent: ${String(error)}`),
    );
  },
});

const listingBy = (options: ServerOptions): (() => Listing) => {
  const { house, toolset, schemaProfile = 'standard', readOnly = () => false, moreInstructions = () => [] } = options;
  const trusted = (): boolean => house.services.workspace.trusted();
  return () =>
    listingOf(house.tools, toolset(), {
      schemaProfile,
      trusted: trusted(),
      readOnly: readOnly(),
      moreInstructions: moreInstructions(),
    });
};

/** Who calls, by the connection and what a request's `_meta` tells. */
const callerBy = (options: ServerOptions, client: () => string): ((meta: Meta) => Promise<Caller>) => {
  const { services } = options.house;
  return async (meta) => {
    const session = await services.drawer.session({ client: client(), root: services.workspace.root() });
    return callerOf(client(), session, options.mcpSession, meta);
  };
};

const capabilities = (listChanged: boolean) => ({ tools: { listChanged }, prompts: {}, resources: {}, logging: {} });

export const createServer = (options: ServerOptions): Server => {
  const { house: given, standing = () => [], billed = true, onListingChange, onCall } = options;
  const listing = listingBy(options);
  const server = new Server(
    { name: 'loom', title: 'Loom', version: options.version },
    { capabilities: capabilities(onListingChange !== undefined), instructions: instructionsFor(listing()) },
  );
  const log = clientLog(server, given.log);
  const house: House = { ...given, log };
  const { ledger, workspace } = house.services;
  const client = (): string => options.client ?? clientName(server.getClientVersion()?.name);
  const caller = callerBy(options, client);

  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    if (!billed) return { tools: listTools(listing()) };
    caller(params?._meta)
      .then((by) => ledger.recordListing({ ...by, texts: [...listingTexts(listing(), by.client), ...standing()] }))
      .catch((error: unknown) => log.error('a listing was not billed', error));
    return { tools: listTools(listing()) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) =>
    callTool(house, {
      name: params.name,
      arguments: params.arguments,
      listing: listing(),
      client: client(),
      root: workspace.root(),
      caller: async () => {
        const by = await caller(params._meta);
        onCall?.(by);
        return by;
      },
      control: controlOf(extra, params._meta?.progressToken, log.warn),
    }),
  );
  offerPrimer(server, async (meta) => {
    const site = { listing: listing(), control: { signal: new AbortController().signal, progress: () => undefined } };
    try {
      const by = await caller(meta);
      return await primerText(contextOf(house, { ...site, caller: by }, ['overviews', 'listing']));
    } catch (error) {
      const { answer } = refusalOf(error, (words) => namedFor(site.listing, words), house);
      throw new McpError(ErrorCode.InternalError, answer.parts.join(''));
    }
  });
  const changes = onListingChange?.(() => {
    server.sendToolListChanged().catch((error: unknown) => given.log.debug(`list_changed: ${String(error)}`));
  });
  server.onclose = () => changes?.dispose();
  server.onerror = (error) => given.log.warn(`mcp: ${error.message}`);
  return server;
};
