// A room in VS Code: its commands, where they stand, and what else it registers. docs/architecture.md has the contract.
import type * as vscode from 'vscode';
import type { z } from 'zod';
import type { Disposable } from '#base/disposable.ts';
import type { Log } from '#base/log.ts';
import type { Services } from '#base/room.ts';
import type { Engine } from '#host/engine.ts';
import type { Problems } from './storage/problems.ts';
import type { Caller } from '#mcp/caller.ts';
import type { HttpHost } from '#mcp/http/windowHost.ts';
import type { L10n } from './views/words.ts';

/** What a person sees of a command. Its id, `loom.…`, is the key that it is declared under. */
export type Command = {
  title: string;
  icon: string;
  enablement?: string;
  /** Not in the palette: it needs what only a menu, a view or the walkthrough gives it. */
  hidden?: true;
  /** The arguments that a view may give it; a view may not run a command without this. */
  fromView?: z.ZodType<readonly unknown[]>;
};
export type Commands = Readonly<Record<`loom.${string}`, Command>>;

/** Where a command, or a menu of commands, stands; the key is VS Code's name of the menu. */
export type Item = { when?: string; group: string } & ({ command: `loom.${string}` } | { submenu: string });
export type Menus = Readonly<Record<string, readonly Item[]>>;

/** What rooms are given of the window. */
export type Window = {
  context: vscode.ExtensionContext;
  /** The folder of the extension's programs. */
  programs: string;
  /** The drawer's folder. */
  drawer: string;
  log: Log & { show: () => void };
  services: Services;
  engine: Engine;
  /** The window's MCP server. */
  host: Promise<HttpHost>;
  /** The drawer's session of this window. */
  session: () => Promise<string>;
  problems: Problems;
  /** Calls `listener` with whoever called a tool. */
  onCall: (listener: (caller: Caller) => void) => Disposable;
  /** Shows the panel at a tab. */
  openPanel: (tab: string) => void;
};

/** A room that runs in a window: what each of its commands does, and what ends with the window. */
export type Begun<C extends Commands> = {
  run: { [K in keyof C]: (...args: unknown[]) => unknown };
  held?: readonly vscode.Disposable[];
};

export type WindowRoom<C extends Commands = Commands> = {
  commands: C;
  menus?: Menus;
  /** What its parts of the views say, in the person's language (words.ts). */
  words?: (l10n: L10n) => object;
  begin: (window: Window) => Begun<C>;
};

/** Types a room by its own commands: each has its work, or the types do not fit. */
export const defineWindowRoom = <const C extends Commands>(room: WindowRoom<C>): WindowRoom =>
  room as unknown as WindowRoom;
