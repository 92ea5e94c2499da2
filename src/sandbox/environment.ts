// The environment of a command: only what is on the list.
const handedOn = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR', 'USER', 'SHELL'];

/** Of this program's environment: what every command needs, and what a person named (`storeCmd.environment`). */
export const commandEnvironment = (env: NodeJS.ProcessEnv, named: readonly string[]): NodeJS.ProcessEnv => {
  const names = new Set([...handedOn, ...named]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => names.has(name) || /^LC_[A-Z]+$/.test(name)));
};
