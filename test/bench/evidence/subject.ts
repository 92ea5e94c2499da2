import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#base/log.ts';
import type { Call } from '#base/operation.ts';
import type { CallControl } from '#base/rpc.ts';
import { atOnce, inSlices } from '#base/slices.ts';
import type { Count } from '#drawer/anchor/budgets.ts';
import { createDrawer } from '#drawer/drawer.ts';
import { drawerFunctions } from '#drawer/index/functions.ts';
import { drawerOperations, type DrawerOperations } from '#drawer/operations.ts';
import { defaultPolicy } from '#drawer/policy.ts';
import { prepare, type Prepared } from '#drawer/store/prepare.ts';
import { drawerMigrations } from '#drawer/schema.ts';
import type { Verified } from '#drawer/contents.ts';
import { verifyDocument } from '#drawer/verify/verifyDocument.ts';
import { renderAnchor } from '#drawer/anchor/render.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';
import { defaultCounter as counter } from '#ledger/types.ts';
import { search } from '#drawer/tools/search.ts';
import { openStore } from '#storage/store.ts';

/** What this thread has worked, in milliseconds: other programs on the machine do not count. */
export const clock = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

export const tokensOf = (text: string): number => atOnce(countTokens(text)).tokens;

export type Anchored = { text: string; tokens: number; coverage: number; ms: number; prepared: Prepared };

/** A drawer in a scratch folder, asked through its own tool. */
export const openSubject = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-evidence-'));
  const store = await openStore({
    folder,
    operations: drawerOperations,
    migrations: [{ room: 'drawer', migrations: drawerMigrations }],
    functions: drawerFunctions,
  });
  const call = store.call as Call<DrawerOperations>;
  // A planted `token: …` would rightly be masked, and could not be found again.
  const policy = () => ({ ...defaultPolicy, redact: false });
  const drawer = createDrawer({ call, count: countTokens, counter, log: silentLog, policy });
  const session = await drawer.session({ client: 'bench', root: '/' });
  const control: CallControl = { signal: new AbortController().signal, progress: () => undefined };

  // A whole document is counted once, and not in an anchor's time.
  let counting = 0;
  let known: { text: string; count: { tokens: number; estimated: boolean } } | undefined;
  const countOnce: Count = function* (text) {
    if (text.length < 30_000) return yield* countTokens(text);
    if (known?.text === text) return known.count;
    const from = clock();
    known = { text, count: atOnce(countTokens(text)) };
    counting += clock() - from;
    return known.count;
  };

  return {
    store: async (text: string, title: string): Promise<{ id: string; ms: number }> => {
      const from = clock();
      const bytes = Buffer.from(text);
      const stored = await drawer.store({ session, bytes, title, source: { kind: 'text' }, keep: true }, control);
      const ms = clock() - from;
      await call('drawer.index', undefined);
      return { id: stored.id ?? '', ms };
    },
    anchor: async (text: string, title: string, budget: number | undefined): Promise<Anchored> => {
      const from = clock();
      counting = 0;
      const bytes = Buffer.from(text);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const about = {
        session,
        bytes,
        sha256,
        title,
        source: { kind: 'text' as const },
        budget,
        keep: false,
        now: 0,
      };
      const prepared = await inSlices(prepare({ ...about, profile: 'strict', redacted: 0, count: countOnce, counter }));
      const ms = clock() - from - counting;
      const { document, body, inline, coverage } = prepared;
      const shown = inline?.text ?? renderAnchor(1, document, body, counter);
      return { text: shown, tokens: document.anchorTokens, coverage, ms, prepared };
    },
    search: async (
      query: string,
      doc: string,
      limit: number,
    ): Promise<{ call: string; answer: string; ms: number }> => {
      const args = { query, doc, limit };
      const from = clock();
      const caller = { client: 'bench', session, conversation: '', turn: undefined };
      const context = { drawer, caller, control } as unknown as Parameters<typeof search.run>[1];
      const { parts } = await search.run(args, context);
      return { call: JSON.stringify(args), answer: parts.join('\n'), ms: clock() - from };
    },
    verify: (doc: string): Promise<Verified> => verifyDocument(call, { doc }),
    close: async (): Promise<void> => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
