// What of a page's messages is taken: a webview is a page, and its messages are input.
import { z } from 'zod';
import { type Ask, text } from '#base/view.ts';
import type { Commands } from '#vscode/defineWindowRoom.ts';
import type { FromWebview } from './protocol.ts';

/** What the rooms let a page ask, as `room.name`, and run, by id: the arguments of each. */
export type Allowed = { asks: ReadonlyMap<string, z.ZodType>; commands: ReadonlyMap<string, z.ZodType> };

/** Loom's own notice of a workspace that is not trusted leads there. */
const trust = ['workbench.trust.manage', z.tuple([])] as const;

export const allowedBy = (
  asks: ReadonlyMap<string, Ask>,
  rooms: Readonly<Record<string, { commands: Commands }>>,
): Allowed => ({
  asks: new Map([...asks].map(([name, { args }]) => [name, args])),
  commands: new Map([
    trust,
    ...Object.values(rooms)
      .flatMap(({ commands }) => Object.entries(commands))
      .flatMap(([id, { fromView }]) => (fromView ? [[id, fromView] as const] : [])),
  ]),
});

const schema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('way'), index: z.int().min(0) }),
  z.strictObject({ kind: z.literal('ask'), request: z.int(), name: text, args: z.unknown() }),
  z.strictObject({ kind: z.literal('cancel'), request: z.int() }),
  z.strictObject({ kind: z.literal('runCommand'), command: text, args: z.array(z.unknown()) }),
]) satisfies z.ZodType<FromWebview>;

/** `message` as one of the protocol's, with arguments that a room takes; undefined where it is none. */
export const fromWebview = (message: unknown, { asks, commands }: Allowed): FromWebview | undefined => {
  const known = schema.safeParse(message).data;
  if (known === undefined || !('args' in known)) return known;
  const form = known.kind === 'ask' ? asks.get(known.name) : commands.get(known.command);
  const args = form?.safeParse(known.args);
  return args?.success ? ({ ...known, args: args.data } as FromWebview) : undefined;
};
