// What the toy's tab says.
import type { L10n } from '#vscode/views/words.ts';

export const toyWords = (l10n: L10n) => ({ toy: l10n.t('Toy'), turn: l10n.t('Turn It') });

export type ToyWords = ReturnType<typeof toyWords>;
