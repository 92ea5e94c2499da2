// The self-test.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as vscode from 'vscode';
import { asLoomError } from '#base/errors.ts';
import type { Services } from '#base/room.ts';
import type { CallControl } from '#base/rpc.ts';
import { grouped } from '#base/text.ts';
import { runCheck, type Verdict } from '#cli/selfCheck.ts';
import type { HttpHost } from '#mcp/http/windowHost.ts';
import type { ReportDocument } from '#vscode/ui/reportDocument.ts';
import { withProgress } from '#vscode/ui/progress.ts';
import { say } from '#vscode/ui/say.ts';

export type CheckDeps = { programs: string; host: Promise<HttpHost>; report: ReportDocument } & Pick<
  Services,
  'drawer' | 'storage'
>;

type Judge = (verdict: Verdict) => void;

/** One verdict of this window: what `work` finds, or how it failed. */
const judged = async (judge: Judge, what: string, work: () => Promise<string | undefined>): Promise<void> => {
  const seen = await work().catch((error: unknown) => asLoomError(error).message);
  judge({ door: 'this window', what, ok: seen === undefined, seen });
};

const answersOnlyFriends = async (host: Promise<HttpHost>): Promise<string | undefined> => {
  const { status } = await fetch((await host).url, { method: 'POST', body: '{}' });
  return status === 404 ? undefined : `a request without the token was answered with ${status}`;
};

const listsTools = async (host: Promise<HttpHost>): Promise<string | undefined> => {
  const { url, headers } = await host;
  const client = new Client({ name: 'loom-check', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  // The SDK's transports have optional members that exactOptionalPropertyTypes does not accept as a Transport.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  try {
    const { tools } = await client.listTools();
    return tools.some(({ name }) => name === 'ctx_store') ? undefined : `lists ${tools.length} tools without ctx_store`;
  } finally {
    await transport.terminateSession();
    await client.close();
  }
};

/** This window's own server, and its own drawer, which nothing is stored in. */
const checkWindow = async ({ host, drawer, storage }: CheckDeps, control: CallControl, judge: Judge): Promise<void> => {
  await judged(judge, 'hides its server from whoever lacks the token', () => answersOnlyFriends(host));
  await judged(judge, 'lists its tools', () => listsTools(host));
  for (const { level, what, fix } of await storage.diagnose({}))
    judge({ door: 'this window', what, ok: level !== 'error', seen: level === 'ok' ? undefined : fix });
  await judged(judge, 'every stored document is whole (SHA-256, chunks, invariants, index)', async () => {
    const { faulty } = await drawer.verify({}, control);
    return faulty.length === 0 ? undefined : faulty.map(({ doc, faults }) => `${doc}: ${faults.join('; ')}`).join('\n');
  });
};

/** The client that is played runs a cell. */
const untrusted: Verdict = {
  door: 'this window',
  what: 'tries Loom through every kind of connection',
  ok: true,
  seen: 'Left out: no Python is started in a workspace that is not trusted.',
};

const line = ({ door, what, ok, seen }: Verdict): string =>
  `${ok ? (seen === undefined ? 'ok     ' : 'warning') : 'FAILED '} ${door}: ${what}${seen === undefined ? '' : `\n        ${seen}`}`;

/**
 * The self-test: this window's server and drawer are looked at, and then the whole client is played on every door, with a
 * drawer of its own in a temporary folder.
 */
export const check = async (deps: CheckDeps): Promise<void> => {
  const verdicts: Verdict[] = [];
  let cancelled = false;
  await withProgress(vscode.l10n.t('Loom: checking'), async (control) => {
    const judge: Judge = (verdict) => {
      verdicts.push(verdict);
      control.progress(0, `${verdict.door}: ${verdict.what}`);
    };
    await checkWindow(deps, control, judge);
    if (!vscode.workspace.isTrusted) judge(untrusted);
    else if (!control.signal.aborted)
      await runCheck({ programs: deps.programs, onVerdict: judge, signal: control.signal });
    cancelled = control.signal.aborted;
  });
  const failed = verdicts.filter(({ ok }) => !ok).length;
  const end = cancelled
    ? vscode.l10n.t('The check was cancelled.')
    : vscode.l10n.t('{0} passed, {1} failed', grouped(verdicts.length - failed), grouped(failed));
  await deps.report.show(vscode.l10n.t('Loom Self-Test'), `${[...verdicts.map(line), end].join('\n')}\n`);
  say(end);
};
