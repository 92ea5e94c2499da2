// `node --import ./scripts/withoutVscode.ts`: the module `vscode` is its stand-in.
import { registerHooks } from 'node:module';

const url = new URL('./vscodeStandIn.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url, shortCircuit: true } : next(name, context)),
});
