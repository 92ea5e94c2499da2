import { html, type Child } from './dom.ts';

export type Fact = readonly [name: string, value: Child];

/** What is known of one thing: names with their values; what has no value is left out. */
export const facts = (...all: readonly Fact[]): HTMLElement =>
  html(
    'dl',
    { class: 'facts' },
    ...all
      .filter(([, value]) => value !== undefined && value !== '')
      .flatMap(([name, value]) => [html('dt', {}, name), html('dd', {}, value)]),
  );
