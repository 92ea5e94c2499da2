import { resolve } from 'node:path';
import { LoomError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import { reportText } from '#ledger/reportText.ts';
import type { EngineClient } from './engine.ts';
import { healthText } from './healthText.ts';

export type AdminCall = {
  engine: EngineClient;
  /** What stands behind the command's name. */
  words: readonly string[];
  repair: boolean;
  force: boolean;
  json: boolean;
  print: (line: string) => void;
};

type AdminCommand = (call: AdminCall) => Promise<number>;

const marks = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' } as const;

const doctor: AdminCommand = async ({ engine, repair, print }) => {
  if (repair) {
    const { missing, aside } = await engine.repair({});
    for (const part of missing) print(`lost: ${part}`);
    print(`The drawer goes on with what could be read. The damaged files are in ${aside}.`);
  }
  const findings = await engine.diagnose({});
  for (const { level, what, fix } of findings) {
    print(`${marks[level]} ${what}`);
    if (fix !== undefined) print(`        ${fix}`);
  }
  return findings.some(({ level }) => level === 'error') ? 1 : 0;
};

const exportTo: AdminCommand = async ({ engine, words, print }) => {
  const [file, ...others] = words;
  if (file === undefined || others.length > 0)
    throw new LoomError('INVALID_ARGUMENTS', 'Name the file to write: loom export drawer.sqlite');
  const { bytes, missing } = await engine.exportTo({ file: resolve(file) });
  print(`${counted(bytes, 'byte')} written to ${resolve(file)}: a plain SQLite file, not encrypted.`);
  for (const part of missing) print(`not in it: ${part}`);
  return missing.length === 0 ? 0 : 1;
};

const unlock: AdminCommand = async ({ engine, force, print }) => {
  const { host, epoch } = await engine.unlock({ force });
  print(`The drawer was held by ${host} (epoch ${epoch}). Whoever opens it next owns it.`);
  return 0;
};

/** The commands of `loom` that look after a drawer. Each answers its exit code. */
export const adminCommands = {
  doctor,
  export: exportTo,
  health: async ({ engine, print }) => {
    print(healthText(await engine.health({})));
    return 0;
  },
  stats: async ({ engine, json, print }) => {
    const report = await engine.report({ life: true });
    print(json ? JSON.stringify(report, undefined, 2) : reportText(report));
    return 0;
  },
  unlock,
} as const satisfies Record<string, AdminCommand>;
