// The tabs: a line each, and nothing else.
export { documents } from './drawer/documentsTab.ts';
export { kernel } from './kernel/kernelTab.ts';
export { ledger } from './ledger/ledgerTab.ts';
export { sessions } from './drawer/sessionsTab.ts';
