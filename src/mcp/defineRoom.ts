// A room with all its parts, as src/rooms.ts lists it.
import type { Need, Room, Services } from '#base/room.ts';
import type { Verb } from '#base/verb.ts';
import type { View } from '#base/view.ts';
import type { Overview } from './defineOverview.ts';
import type { Tool } from './defineTool.ts';
import type { Route } from './http/route.ts';

export type RoomParts<N extends Need = Need> = Room & {
  tools?: readonly Tool[];
  /** What it tells of itself at the beginning of a session, and to whoever searches everything. */
  overview?: Overview;
  verbs?: readonly Verb[];
  /** What its parts of the views ask (view.ts). */
  view?: View;
  /** The services that `routes` and `instruction` use. */
  uses?: readonly N[];
  /** Paths of the HTTP host that it answers. */
  routes?: (services: Pick<Services, N>) => readonly Route[];
  /** A sentence behind the server's instructions; undefined: none now. Paid for on each turn. */
  instruction?: (services: Pick<Services, N>) => string | undefined;
};

/** Types a room by what its routes use. */
export const defineRoom = <const N extends Need = never>(parts: RoomParts<N>): RoomParts =>
  parts as unknown as RoomParts;
