import { z } from 'zod';
import { kinds } from '#drawer/contents.ts';
import { streamNames } from '#kernel/types.ts';
import { entryKinds, spans } from '#ledger/types.ts';
import type { Ask, AskName, Asks, FromWebview } from './protocol.ts';

const text = z.string().max(2_000);
const rowRange = { offset: z.int().min(0), limit: z.int().min(1).max(500) };

const args = {
  documents: z.strictObject({
    session: text.optional(),
    kind: z.enum(kinds).optional(),
    title: text.optional(),
    ...rowRange,
  }),
  chunks: z.strictObject({ id: text, ...rowRange }),
  detail: z.strictObject({ id: text }),
  inspect: z.strictObject({ id: text }),
  search: z.strictObject({ query: text, session: text.optional() }),
  executions: z.strictObject({ session: text.optional(), ...rowRange }),
  entries: z.strictObject({
    scope: z.union([z.strictObject({ session: text }), z.strictObject({ life: z.literal(true) })]),
    kind: z.enum(entryKinds).optional(),
    tool: text.optional(),
    ...rowRange,
  }),
} satisfies { [N in AskName]: z.ZodType<Asks[N]['args']> };

const ask = <N extends AskName>(name: N) => z.strictObject({ name: z.literal(name), args: args[name] });
const asks = z.discriminatedUnion('name', [
  ask('documents'),
  ask('chunks'),
  ask('detail'),
  ask('inspect'),
  ask('search'),
  ask('executions'),
  ask('entries'),
]) as z.ZodType<Ask>;

const schema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), span: z.enum(spans).optional() }),
  z.strictObject({ kind: z.literal('way'), index: z.int().min(0) }),
  z.strictObject({ kind: z.literal('span'), span: z.enum(spans) }),
  z.strictObject({ kind: z.literal('ask'), request: z.int(), ask: asks }),
  z.strictObject({ kind: z.literal('cancel'), request: z.int() }),
  z.strictObject({ kind: z.literal('openDocument'), id: text, line: z.int().min(1).optional() }),
  z.strictObject({
    kind: z.literal('openStream'),
    session: text,
    execution: z.int().min(1),
    stream: z.enum(streamNames),
  }),
  z.strictObject({
    kind: z.literal('runCommand'),
    command: z.enum([
      'loom.storeActiveFile',
      'loom.storeFile',
      'loom.searchDrawer',
      'loom.showLog',
      'loom.openDrawer',
      'loom.openLedger',
      'loom.purge',
      'loom.exportLedger',
      'workbench.trust.manage',
    ]),
    argument: text.optional(),
  }),
]) satisfies z.ZodType<FromWebview>;

/** `message` as one of the protocol's, or undefined where it is none: a webview is a page, and its messages are input. */
export const fromWebview = (message: unknown): FromWebview | undefined => schema.safeParse(message).data;
