// Somebody else's MCP server, over stdio: it reports as many lines as it is asked for.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/** The report of `lines` lines; 160 are just short of what Copilot hides in a file. */
export const report = (lines: number): string =>
  Array.from({ length: lines }, (_, n) => `row ${n} of the report holds the value ${(n * 7919) % 10007}`).join('\n');

/** The server `reports` in User/mcp.json. */
export const reports = {
  servers: { reports: { type: 'stdio', command: process.execPath, args: [import.meta.filename, 'serve'] } },
};

if (process.argv[2] === 'serve') {
  const server = new McpServer({ name: 'reports', version: '1' });
  const input = { lines: z.number().describe('How many lines.') };
  const about = {
    description: 'A report.',
    inputSchema: input,
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  server.registerTool('report', about, ({ lines }) => ({ content: [{ type: 'text', text: report(lines) }] }));
  await server.connect(new StdioServerTransport());
}
