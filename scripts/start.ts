// `npm start [FILE…]`: Loom's main job on real files, through its own program and a real MCP client, with every figure
// computed from what came back. The drawer it fills is a temporary one.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { tools } from '#assemble.ts';
import { atOnce } from '#base/slices.ts';
import { grouped } from '#base/text.ts';
import { unfenced } from '#drawer/tools/fenced.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';
import { listingTexts } from '#mcp/listing/prompt.ts';
import { listingOf } from '#mcp/listing/listing.ts';

const root = resolve(import.meta.dirname, '..');
const defaults = ['package-lock.json', 'node_modules/@types/vscode/index.d.ts'];
const named = process.argv.slice(2);
const files = (named.length > 0 ? named : defaults).map((file) =>
  resolve(named.length > 0 ? process.cwd() : root, file),
);
const program = join(root, 'dist/cli.cjs');

const say = (text = ''): void => console.log(text);
const title = (text: string): void => say(`\n\u001b[1m${text}\u001b[0m`);
const indented = (text: string): string => text.replaceAll(/^/gm, '  │ ');
const tokens = (text: string): number => atOnce(countTokens(text)).tokens;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const drawer = mkdtempSync(join(tmpdir(), 'loom-start-'));
const client = new Client({ name: 'loom-start', version: '1' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    cwd: root,
    env: {
      ...(process.env as Record<string, string>),
      LOOM_DB: drawer,
      LOOM_LOG_LEVEL: 'WARN',
      LOOM_ALLOWED_DIRS: files.map(dirname).join(process.platform === 'win32' ? ';' : ':'),
    },
    stderr: 'inherit',
  }) as Parameters<Client['connect']>[0],
);

/** Tokens of every call and every answer, as a model would pay them. */
let paid = 0;
const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = (content as { text: string }[]).map((part) => part.text).join('\n');
  if (isError) throw new Error(text);
  return text;
};
const billed = async (name: string, args: Record<string, unknown>): Promise<string> => {
  const answer = await call(name, args);
  paid += tokens(JSON.stringify(args)) + tokens(answer);
  return answer;
};

/** A document's bytes, page by page, as any client gets them. */
const fetchAll = async (id: string): Promise<{ bytes: Buffer; pages: number }> => {
  const parts: Buffer[] = [];
  for (let cursor: string | undefined, more = true; more;) {
    const page = await call('ctx_get', cursor === undefined ? { id } : { id, cursor });
    const { header, text, cursor: next } = unfenced(page);
    parts.push(Buffer.from(text, header.includes('| base64 |') ? 'base64' : 'utf8'));
    cursor = next;
    more = cursor !== undefined;
  }
  return { bytes: Buffer.concat(parts), pages: parts.length };
};

/** A long word from the middle of a text: something that a person might look for. */
const wordOf = (text: string): string => {
  const middle = text.slice(text.length / 2, text.length / 2 + 4_000);
  return (middle.match(/[A-Za-z][A-Za-z0-9_]{5,30}/g) ?? [text.slice(0, 20)]).reduce((a, b) =>
    b.length > a.length ? b : a,
  );
};

let failed = false;
let original = 0;
try {
  for (const file of files) {
    const bytes = readFileSync(file);
    const text = bytes.toString('utf8');
    const before = tokens(text);
    original += before;
    title(`ctx_store_file ${JSON.stringify({ path: file })}`);
    const anchor = await billed('ctx_store_file', { path: file });
    say(indented(anchor));
    const id = /\bd\d+\b/.exec(anchor.split('\n')[0] ?? '')?.[0];
    if (id === undefined) {
      say(`  ${basename(file)} is small: it came back as it is.`);
      continue;
    }
    const query = wordOf(text);
    title(`ctx_search ${JSON.stringify({ query, doc: id, limit: 1 })}`);
    say(indented(await billed('ctx_search', { query, doc: id, limit: 1 })));
    title(`Byte check of ${basename(file)}`);
    const back = await fetchAll(id);
    const same = sha256(back.bytes) === sha256(bytes);
    failed ||= !same;
    say(`  file    ${sha256(bytes)}  ${grouped(bytes.length)} bytes`);
    say(`  drawer  ${sha256(back.bytes)}  ${grouped(back.bytes.length)} bytes in ${grouped(back.pages)} pages`);
    say(`  ${same ? 'passed: every byte came back' : 'FAILED: the bytes differ'}`);
  }
  for (const code of ['kept = [n * n for n in range(100_000)]', 'for n in kept: print(n)\nsum(kept)']) {
    title(`run_python ${JSON.stringify({ code })}`);
    const answer = await call('run_python', { code, timeout_seconds: 120 });
    failed ||= !/^In \[\d+\] completed, /.test(answer);
    const lines = answer.split('\n');
    say(indented((lines.length > 12 ? [...lines.slice(0, 6), '…', ...lines.slice(-4)] : lines).join('\n')));
  }
  title('read_python_output {"lines":"50000"}: any line of it again, also after a restart');
  say(indented(await call('read_python_output', { lines: '50000' })));
  const listing = tokens(listingTexts(listingOf(tools, 'core'), 'vscode').join(''));
  const net = original - paid - listing;
  title('Tokens (o200k_base), this run');
  say(`  in the prompt without Loom   ${grouped(original).padStart(9)}   the files as they are`);
  say(
    `  calls and answers            ${grouped(paid).padStart(9)}   stores and searches above; the byte check is not a model's work`,
  );
  say(
    `  listing, a turn              ${grouped(listing).padStart(9)}   tools and instructions; paid again on each turn`,
  );
  say(
    `  net after one turn           ${grouped(net).padStart(9)}   ${((100 * net) / original).toFixed(1)} % of the files`,
  );
  say('  An agent that would have read only a part of a file saves less: Loom’s ledger caps what it claims.');
} finally {
  await client.close();
  rmSync(drawer, { recursive: true, force: true });
}

title('In VS Code');
say('  npm run code          opens VS Code with Loom (a desktop one where there is one, else one in the browser)');
say('  npm run package       makes dist/loom.vsix: Extensions › … › Install from VSIX');
say('  The MCP server is offered by the extension itself: there is nothing to configure.');
title('For other MCP clients (Claude Code, Cursor, Codex, …)');
say(
  JSON.stringify({ mcpServers: { loom: { command: process.execPath, args: [program, 'mcp'] } } }, null, 2).replaceAll(
    /^/gm,
    '  ',
  ),
);
title('For VS Code without the extension (.vscode/mcp.json)');
say(
  JSON.stringify(
    { servers: { loom: { type: 'stdio', command: process.execPath, args: [program, 'mcp'] } } },
    null,
    2,
  ).replaceAll(/^/gm, '  '),
);
if (failed) process.exitCode = 1;
