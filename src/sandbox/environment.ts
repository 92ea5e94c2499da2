// What a command in the sandbox may see of its surroundings.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where programs keep what lets them in elsewhere, under a person's home. */
const credentials = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.config/hub',
  '.config/doctl',
  '.kube',
  '.docker/config.json',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
  '.loom',
];

/** What no command may read: credentials, and what the caller hides. Only what there is: the sandbox needs real paths. */
export const unreadable = (hidden: readonly string[]): string[] =>
  [...credentials.map((name) => join(homedir(), name)), ...hidden].filter((path) => existsSync(path));

const secretName = /TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|AUTH/i;
const ours = /^(?:LOOM_|ELECTRON_|VSCODE_|NODE_OPTIONS$)/;

/** The environment of a command: this program's own, without what opens doors and what is only meant for it. */
export const commandEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !secretName.test(name) && !ours.test(name)));
