import { z } from 'zod';
import type { FromWebview } from './protocol.ts';

const schema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('openDocument'), id: z.string() }),
  z.strictObject({
    kind: z.literal('runCommand'),
    command: z.enum(['loom.storeActiveFile', 'loom.searchDrawer', 'loom.showLog']),
  }),
]) satisfies z.ZodType<FromWebview>;

/** `message` as one of the protocol's, or undefined where it is none: a webview is a page, and its messages are input. */
export const fromWebview = (message: unknown): FromWebview | undefined => schema.safeParse(message).data;
