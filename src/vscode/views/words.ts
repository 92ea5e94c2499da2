// Words of the views that no room has for itself.
/** `vscode.l10n`, or what stands in for it where there is no VS Code. */
export type L10n = { t: (message: string) => string };

/** `{0}` is the count, grouped. */
export type Plural = readonly [one: string, other: string];

/**
 * What several rooms' parts of the views say; each room's own words stand in its words.ts. `{0}`, `{1}` … are filled in by
 * the page, which counts and formats; so they stay in the translations. A plural has two forms.
 */
export const commonWords = (l10n: L10n) => ({
  loading: l10n.t('Opening the drawer…'),
  waiting: l10n.t('Loading…'),
  failed: l10n.t('Loom could not open the drawer.'),
  retry: l10n.t('Try Again'),
  showLog: l10n.t('Show Log'),
  views: l10n.t('Views'),
  details: l10n.t('Details'),
  tokens: [l10n.t('{0} token'), l10n.t('{0} tokens')] as Plural,
  lines: [l10n.t('{0} line'), l10n.t('{0} lines')] as Plural,
  bytes: [l10n.t('{0} byte'), l10n.t('{0} bytes')] as Plural,
  about: l10n.t('about {0}'),
  yes: l10n.t('yes'),
  size: l10n.t('Size'),
  id: l10n.t('Id'),
  tokenColumn: l10n.t('Tokens'),
  client: l10n.t('Client'),
  noRoot: l10n.t('no folder'),
  sessionFilter: l10n.t('Session'),
  allSessions: l10n.t('All sessions'),
  thisSession: l10n.t('{0} (this window)'),
  readOnly: l10n.t('The drawer is open for reading only.'),
  missing: l10n.t('Not in it: {0}'),
  untrusted: l10n.t('This workspace is not trusted.'),
  untrustedHint: l10n.t('Until it is, no Python and no command runs, and no folder outside it is read.'),
  manageTrust: l10n.t('Manage Trust'),
});

export type CommonWords = ReturnType<typeof commonWords>;

/** Every word that a person reads in the views; those of a room under its name. */
export type Words = { common: CommonWords; rooms: Readonly<Record<string, object>> };

type WithWords = { words?: (l10n: L10n) => object };

export const viewWords = (l10n: L10n, rooms: Readonly<Record<string, WithWords>>): Words => ({
  common: commonWords(l10n),
  rooms: Object.fromEntries(Object.entries(rooms).map(([name, { words }]) => [name, words?.(l10n) ?? {}])),
});
