import type { Series, Span } from '#ledger/types.ts';
import { html, svg, type Child } from '#webview/ui/dom.ts';
import { mark, number } from '#webview/ui/format.ts';
import { counted, fill } from '#webview/words.ts';
import { words } from './ledger.ts';

const spans: readonly Span[] = ['hour', 'day', 'week', 'all'];

type Bar = { at: number; kept: number; paid: number };

const barsOf = ({ buckets }: Series): Bar[] =>
  buckets.map(({ at, moved, listed, call, answer }) => ({ at, kept: moved, paid: listed + call + answer }));

// In units of a view box that is stretched to the view's width.
const width = 1000;
const height = 64;
/** A figure that is not nothing is seen, however small. */
const lowest = 1.5;

/** Bars up for what was kept out, down for what was paid, on one scale. */
const picture = (bars: readonly Bar[], label: string): SVGElement => {
  const up = Math.max(...bars.map(({ kept }) => kept));
  const down = Math.max(...bars.map(({ paid }) => paid));
  const scale = height / Math.max(up + down, 1);
  const base = up * scale;
  const step = width / bars.length;
  const drawn = bars.flatMap(({ kept, paid }, n) => {
    const place = { x: n * step + step * 0.1, width: step * 0.8 };
    const high = kept > 0 ? Math.max(kept * scale, lowest) : 0;
    const low = paid > 0 ? Math.max(paid * scale, lowest) : 0;
    return [
      high > 0 ? svg('rect', { ...place, y: base - high, height: high, class: 'kept' }) : undefined,
      low > 0 ? svg('rect', { ...place, y: base, height: low, class: 'paid' }) : undefined,
    ];
  });
  return svg(
    'svg',
    {
      viewBox: `0 ${-lowest} ${width} ${height + 2 * lowest}`,
      preserveAspectRatio: 'none',
      class: 'time',
      role: 'img',
      'aria-label': label,
    },
    ...drawn,
    svg('rect', { x: 0, y: base - 0.25, width, height: 0.5, class: 'axis' }),
  );
};

/** The same as the picture, for who cannot see it: stretches in which nothing happened are left out. */
const table = (bars: readonly Bar[], step: number): HTMLElement =>
  html(
    'table',
    { class: 'unseen' },
    html('caption', {}, words.overTime),
    html('tr', {}, ...[words.from, words.keptOut, words.paid].map((title) => html('th', { scope: 'col' }, title))),
    ...bars
      .filter(({ kept, paid }) => kept + paid > 0)
      .map(({ at, kept, paid }) =>
        html(
          'tr',
          {},
          html('th', { scope: 'row' }, mark(at, step)),
          html('td', {}, number(kept)),
          html('td', {}, number(paid)),
        ),
      ),
  );

const chooser = (chosen: Span, choose: (span: Span) => void): HTMLElement =>
  html(
    'div',
    { class: 'spans', role: 'group', 'aria-label': words.spans },
    ...spans.map((span) => {
      const made = html(
        'button',
        { type: 'button', class: 'span', 'aria-pressed': String(span === chosen), 'data-key': `span ${span}` },
        words.span[span],
      );
      made.addEventListener('click', () => choose(span));
      return made;
    }),
  );

const legend = (look: string, name: string, figure: number): HTMLElement =>
  html(
    'span',
    { class: 'legend' },
    html('span', { class: `key ${look}`, 'aria-hidden': 'true' }),
    `${name} `,
    html('span', { class: 'figures' }, number(figure)),
  );

const sum = (bars: readonly Bar[], part: 'kept' | 'paid'): number => bars.reduce((all, bar) => all + bar[part], 0);

/** Kept out and paid over a span of time. */
export const timeChart = (series: Series, span: Span, choose: (span: Span) => void): Child[] => {
  const bars = barsOf(series);
  const [kept, paid] = [sum(bars, 'kept'), sum(bars, 'paid')];
  const head = html('div', { class: 'row' }, html('h3', {}, words.overTime), chooser(span, choose));
  if (kept + paid === 0) return [head, html('p', { class: 'muted' }, words.spanNothing)];
  const since = mark(series.from, series.step);
  const label = fill(words.chart, counted(kept, words.tokens), counted(paid, words.tokens), since);
  return [
    head,
    picture(bars, label),
    html('div', { class: 'row muted small' }, html('span', {}, since), html('span', {}, words.now)),
    html('div', { class: 'legends' }, legend('kept', words.keptOut, kept), legend('paid', words.paid, paid)),
    table(bars, series.step),
  ];
};
