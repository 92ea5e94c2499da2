import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export type Server = { url: string; headers: Record<string, string> };

const connected = async ({ url, headers }: Server): Promise<Client> => {
  const client = new Client({ name: 'load', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
};

export type Load = {
  /** Calls with the answer that was theirs. */
  answered: number;
  /** The others: what came instead, or the error. */
  lost: string[];
  /** Milliseconds of each call, ascending. */
  times: number[];
  seconds: number;
};

/** A small text comes back as it is, so each answer tells whose it is. */
const callOnce = async (client: Client, text: string, into: Load): Promise<void> => {
  const start = performance.now();
  try {
    const { content } = await client.callTool({ name: 'ctx_store', arguments: { text } });
    const [part] = content as { text: string }[];
    if (part?.text === text) into.answered++;
    else into.lost.push(`${text}: ${part?.text}`);
  } catch (error) {
    into.lost.push(`${text}: ${String(error)}`);
  }
  into.times.push(performance.now() - start);
};

/** `clients` at once, each with `calls` one after the other. */
export const load = async (server: Server, clients: number, calls: number): Promise<Load> => {
  const result: Load = { answered: 0, lost: [], times: [], seconds: 0 };
  const all = await Promise.all(Array.from({ length: clients }, () => connected(server)));
  const start = performance.now();
  await Promise.all(
    all.map(async (client, c) => {
      for (let n = 0; n < calls; n++) await callOnce(client, `client ${c} call ${n}`, result);
    }),
  );
  result.seconds = (performance.now() - start) / 1000;
  await Promise.all(all.map((client) => client.close()));
  result.times.sort((a, b) => a - b);
  return result;
};

const request = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'leaver', version: '1' } },
});

/** Opens a session and leaves it; its id. */
export const abandon = async ({ url, headers }: Server): Promise<string> => {
  const sent = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
  const response = await fetch(url, { method: 'POST', headers: sent, body: request });
  await response.text();
  return response.headers.get('mcp-session-id') ?? `none: ${response.status}`;
};
