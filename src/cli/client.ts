// `loom client`.
import { installClient, type Installed } from './clientFile.ts';
import { fileOf } from '#host/programs.ts';
import {
  clientConfig,
  clientLabel,
  clientsNamed,
  clientTargets,
  type ClientConfig,
  type ClientTarget,
  type ServerCommand,
} from './clients.ts';
import { carriedVariables } from './environment.ts';
import type { Program } from './room.ts';
import { defineVerb, json, printJson, UsageError, type Terminal } from '#base/verb.ts';

/** What starts this very program again: paths that hold also where a client has another PATH. */
const thisProgram = ({ programs, env }: Program): ServerCommand => ({
  command: process.execPath,
  args: [fileOf(programs, 'cli'), 'mcp'],
  env: carriedVariables(env),
});

const changes: Record<Installed['change'], string> = {
  created: 'Made',
  added: 'Added Loom to',
  replaced: "Brought Loom's entry up to date in",
  unchanged: 'Loom is already in',
};

const install = (call: Terminal & { options: { json: boolean } }, config: ClientConfig): void => {
  const { file, change, backup } = installClient(config);
  if (call.options.json) return printJson(call, { file, change, backup });
  call.print(`${changes[change]} ${file}.`);
  if (backup !== undefined) call.print(`As it was: ${backup}.`);
  call.print(`${config.label}: ${config.afterwards}`);
};

/** A name that is several clients: which of them is asked in words. */
const whichOf = (asked: string, targets: readonly ClientTarget[]): string =>
  `Which ${asked}? ${targets.map((target) => `${clientLabel(target)} (--target ${target})`).join(' or ')}.`;

export const client = defineVerb({
  name: 'client',
  needs: ['program'],
  summary: 'show what to paste into a client so that it starts Loom, or put it there',
  options: {
    target: { type: 'string', value: 'T', short: 't', meaning: clientTargets.join(', ') },
    install: { type: 'boolean', meaning: "merge it into the client's own file; all else in it stays" },
    print: { type: 'boolean', meaning: 'show it, which is what happens without --install' },
    json,
  },
  more: [
    "Loom's variables that are set now go along, passwords and tokens excepted.",
    'Example: loom client --target cursor --install',
  ],
  run: async (call) => {
    const { target: asked, install: wanted, print, json: asJson } = call.options;
    const [target, ...others] = asked === undefined ? [] : clientsNamed(asked);
    if (target === undefined)
      throw new UsageError(
        `${asked === undefined ? '--target is missing' : `"${asked}" is no client`}; it is one of ${clientTargets.join(', ')}.`,
      );
    if (others.length > 0) throw new UsageError(whichOf(asked ?? '', [target, ...others]));
    if (wanted && print) throw new UsageError('Give either --install or --print.');
    const config = clientConfig(target, thisProgram(call.program));
    if (wanted) install(call, config);
    else if (asJson) printJson(call, config);
    else {
      call.note(`${config.label} reads ${config.file}. Put this into it, or run with --install:`);
      call.write(config.text);
      call.note(config.afterwards);
    }
    return 0;
  },
});
