/** The storage's verbs of `loom`. */
import { resolve } from 'node:path';
import { counted, megabytes } from '#base/text.ts';
import { reportText } from '#ledger/reportText.ts';
import { healthText } from './healthText.ts';
import { recoveryKeyText } from './password.ts';
import { defineCommand, json, printJson, UsageError, type CommandHost } from '#cli/defineVerb.ts';

export const health = defineCommand({
  name: 'health',
  summary: "the drawer's state and size",
  options: { json },
  run: async (call) => {
    const state = await call.engine.health({});
    if (call.options.json) printJson(call, state);
    else call.print(healthText(state));
    return 0;
  },
});

export const stats = defineCommand({
  name: 'stats',
  summary: 'what Loom kept out of prompts and what it cost, ever',
  options: { json },
  run: async (call) => {
    const report = await call.engine.report({ life: true });
    if (call.options.json) printJson(call, report);
    else call.print(reportText(report));
    return 0;
  },
});

export const vacuum = defineCommand({
  name: 'vacuum',
  summary: "compact the drawer's file",
  options: { json },
  run: async (call) => {
    const sizes = await call.engine.vacuum({});
    if (call.options.json) printJson(call, sizes);
    else call.print(`${megabytes(sizes.before)} before, ${megabytes(sizes.after)} after.`);
    return 0;
  },
});

const marks = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' } as const;

const repair = async ({ engine, note }: CommandHost): Promise<void> => {
  const { missing, aside } = await engine.repair({});
  for (const part of missing) note(`lost: ${part}`);
  note(`The drawer goes on with what could be read. The damaged files are in ${aside}.`);
};

export const doctor = defineCommand({
  name: 'doctor',
  summary: "look at the drawer's folder, say what is wrong and what to do",
  options: {
    repair: { type: 'boolean', meaning: 'go on with what can be read; the damaged files are kept aside' },
    json,
  },
  more: ['Nothing is changed without --repair. The exit code is 1 where something is wrong.'],
  run: async (call) => {
    if (call.options.repair) await repair(call);
    const findings = await call.engine.diagnose({});
    if (call.options.json) printJson(call, findings);
    else
      for (const { level, what, fix } of findings) {
        call.print(`${marks[level]} ${what}`);
        if (fix !== undefined) call.print(`        ${fix}`);
      }
    return findings.some(({ level }) => level === 'error') ? 1 : 0;
  },
});

export const exportTo = defineCommand({
  name: 'export',
  summary: 'write the drawer as a plain SQLite file',
  words: { usage: 'FILE', least: 1, most: 1 },
  options: { json },
  more: ['Example: loom export drawer.sqlite. The file is not encrypted, also where the drawer is.'],
  run: async (call) => {
    const file = resolve(call.words[0] ?? '');
    const { bytes, missing } = await call.engine.exportTo({ file });
    if (call.options.json) printJson(call, { file, bytes, missing });
    else {
      call.print(`${counted(bytes, 'byte')} written to ${file}: a plain SQLite file, not encrypted.`);
      for (const part of missing) call.print(`not in it: ${part}`);
    }
    return missing.length === 0 ? 0 : 1;
  },
});

export const unlock = defineCommand({
  name: 'unlock',
  summary: 'say that a program on another machine that holds the drawer is gone',
  options: { force: { type: 'boolean', meaning: 'also where that program seems to run still' } },
  run: async ({ engine, options: { force }, print }) => {
    const { host, epoch } = await engine.unlock({ force });
    print(`The drawer was held by ${host} (epoch ${epoch}). Whoever opens it next owns it.`);
    return 0;
  },
});

const passwordOf = ({ environment }: CommandHost): string => {
  if (environment.passphrase === undefined) throw new UsageError('LOOM_DB_PASSWORD is not set.');
  return environment.passphrase;
};

export const seal = defineCommand({
  name: 'seal',
  summary: 'encrypt the drawer under LOOM_DB_PASSWORD, and show its recovery key',
  more: [
    'A drawer that this passphrase opens already gets a new key and a new recovery key. Whoever uses the drawer needs the',
    'passphrase from then on: other programs as LOOM_DB_PASSWORD, and VS Code asks for it.',
  ],
  run: async (call) => {
    const { engine, print } = call;
    const passphrase = passwordOf(call);
    await engine.setKeys({ keys: { passphrase } });
    await engine.sealing({});
    const { recoveryKey = '' } = await engine.seal({ sealing: { kind: 'passphrase', passphrase } });
    print(`The drawer is sealed with LOOM_DB_PASSWORD.\n${recoveryKeyText(recoveryKey)}`);
    return 0;
  },
});

export const unseal = defineCommand({
  name: 'unseal',
  summary: 'write the drawer unencrypted; without --confirm only say so',
  options: { confirm: { type: 'boolean', meaning: 'do it' } },
  more: ['LOOM_DB_PASSWORD is the passphrase or the recovery key.'],
  run: async (call) => {
    const { engine, print } = call;
    const password = passwordOf(call);
    await engine.setKeys({ keys: { passphrase: password, recoveryKey: password } });
    if ((await engine.sealing({})) === 'off') print('The drawer is not sealed.');
    else if (!call.options.confirm)
      print('The drawer would lie on disk for whoever reads your files. To do it: loom unseal --confirm');
    else {
      await engine.seal({ sealing: { kind: 'off' } });
      print('The drawer is not sealed any more. Programs with LOOM_DB_PASSWORD refuse it from now on: unset it.');
    }
    return 0;
  },
});
