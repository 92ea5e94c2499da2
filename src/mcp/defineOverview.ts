// What a room tells of itself where a session begins, and where everything is searched at once.
import type { Need } from '#base/room.ts';
import type { ToolContext } from './defineTool.ts';

/** What is looked for in all rooms: at most so many hits, in at most so many UTF-16 units. */
export type FindArgs = { query: string; limit: number; units: number };

export type Overview<N extends Need = Need> = {
  /** Names the room in answers. */
  title: string;
  needs: readonly N[];
  /** What the caller's session holds of it, in lines. */
  state: (context: ToolContext<N>) => Promise<string>;
  /** What to call for what. */
  ways: readonly (readonly [tool: string, words: string])[];
  /** The first hits in the caller's session, and the call that goes on; `returned` is stored content in it. */
  find?: (args: FindArgs, context: ToolContext<N>) => Promise<{ text: string; returned?: string }>;
};

/** Types one overview by its own needs, as `defineTool` does. */
export const defineOverview = <const N extends Need>(overview: Overview<N>): Overview =>
  overview as unknown as Overview;

/** An overview within one call. */
export type Told = Pick<Overview, 'title' | 'ways'> & {
  state: () => Promise<string>;
  find: ((args: FindArgs) => Promise<{ text: string; returned?: string }>) | undefined;
};

declare module '#base/room.ts' {
  interface Services {
    /** Of every room that has one, for this call. */
    overviews: readonly Told[];
    /** This call's listing, for tools that speak of others. */
    listing: {
      /** Whether it has a way to call the tool of this name. */
      offers: (tool: string) => boolean;
      /** The tools that match, as it can call them. */
      help: (query: string) => string;
    };
  }
}
