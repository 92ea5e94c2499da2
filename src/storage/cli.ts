// The storage's verbs of `loom`.
import { resolve } from 'node:path';
import { counted } from '#base/text.ts';
import { healthText } from './healthText.ts';
import { defineVerb, json, printJson, UsageError, type VerbCall } from '#base/verb.ts';
import { recoveryKeyText } from './password.ts';
import { storageSettings } from './room.ts';

export const health = defineVerb({
  name: 'health',
  summary: "the drawer's state and size",
  needs: ['storage'],
  options: { json },
  run: async (call) => {
    const state = await call.storage.health({});
    if (call.options.json) printJson(call, state);
    else call.print(healthText(state));
    return 0;
  },
});

const marks = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' } as const;

const repair = async ({ storage, note }: Pick<VerbCall<never, 'storage'>, 'storage' | 'note'>): Promise<void> => {
  const { missing, aside } = await storage.repair({});
  for (const part of missing) note(`lost: ${part}`);
  note(
    `The drawer goes on with what could be read. The damaged files are in ${aside}: remove it when you need it no more, for no later purge or sealing reaches it.`,
  );
};

export const doctor = defineVerb({
  name: 'doctor',
  summary: "look at the drawer's folder, say what is wrong and what to do",
  needs: ['storage'],
  options: {
    repair: { type: 'boolean', meaning: 'go on with what can be read; the damaged files are kept aside' },
    json,
  },
  more: ['Nothing is changed without --repair. The exit code is 1 where something is wrong.'],
  run: async (call) => {
    if (call.options.repair) await repair(call);
    const findings = await call.storage.diagnose({});
    if (call.options.json) printJson(call, findings);
    else
      for (const { level, what, fix } of findings) {
        call.print(`${marks[level]} ${what}`);
        if (fix !== undefined) call.print(`        ${fix}`);
      }
    return findings.some(({ level }) => level === 'error') ? 1 : 0;
  },
});

export const exportTo = defineVerb({
  name: 'export',
  summary: 'write the drawer as a plain SQLite file',
  needs: ['storage'],
  words: { usage: 'FILE', least: 1, most: 1 },
  options: { json },
  more: ['Example: loom export drawer.sqlite. The file is not encrypted, also where the drawer is.'],
  run: async (call) => {
    const file = resolve(call.words[0] ?? '');
    const { bytes, missing } = await call.storage.exportTo({ file });
    if (call.options.json) printJson(call, { file, bytes, missing });
    else {
      call.print(`${counted(bytes, 'byte')} written to ${file}: a plain SQLite file, not encrypted.`);
      for (const part of missing) call.print(`not in it: ${part}`);
    }
    return missing.length === 0 ? 0 : 1;
  },
});

export const unlock = defineVerb({
  name: 'unlock',
  summary: 'say that a program on another machine that holds the drawer is gone',
  needs: ['storage'],
  options: { force: { type: 'boolean', meaning: 'also where that program seems to run still' } },
  run: async ({ storage, options: { force }, print }) => {
    const { host, epoch } = await storage.unlock({ force });
    print(`The drawer was held by ${host} (epoch ${epoch}). Whoever opens it next owns it.`);
    return 0;
  },
});

const passwordOf = ({ settings }: Pick<VerbCall<never, 'settings'>, 'settings'>): string => {
  const { passphrase } = settings(storageSettings);
  if (passphrase === '') throw new UsageError('LOOM_DB_PASSWORD is not set.');
  return passphrase;
};

export const seal = defineVerb({
  name: 'seal',
  summary: 'encrypt the drawer under LOOM_DB_PASSWORD, and show its recovery key',
  needs: ['storage', 'settings'],
  more: [
    'A drawer that this passphrase opens already gets a new key and a new recovery key. Whoever uses the drawer needs the',
    'passphrase from then on: other programs as LOOM_DB_PASSWORD, and VS Code asks for it.',
  ],
  run: async (call) => {
    const { storage, print } = call;
    const passphrase = passwordOf(call);
    await storage.setKeys({ keys: { passphrase } });
    await storage.sealing({});
    const { recoveryKey = '' } = await storage.seal({ sealing: { kind: 'passphrase', passphrase } });
    print(`The drawer is sealed with LOOM_DB_PASSWORD.\n${recoveryKeyText(recoveryKey)}`);
    return 0;
  },
});

export const unseal = defineVerb({
  name: 'unseal',
  summary: 'write the drawer unencrypted; without --confirm only say so',
  needs: ['storage', 'settings'],
  options: { confirm: { type: 'boolean', meaning: 'do it' } },
  more: ['LOOM_DB_PASSWORD is the passphrase or the recovery key.'],
  run: async (call) => {
    const { storage, print } = call;
    const password = passwordOf(call);
    await storage.setKeys({ keys: { passphrase: password, recoveryKey: password } });
    if ((await storage.sealing({})) === 'off') print('The drawer is not sealed.');
    else if (!call.options.confirm)
      print('The drawer would lie on disk for whoever reads your files. To do it: loom unseal --confirm');
    else {
      await storage.seal({ sealing: { kind: 'off' } });
      print('The drawer is not sealed any more. Programs with LOOM_DB_PASSWORD refuse it from now on: unset it.');
    }
    return 0;
  },
});
