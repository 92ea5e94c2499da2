import { svg } from './dom.ts';

/** A stretch of a bar; `look` is its class in the style sheet. */
export type Part = { share: number; look: string };

// In units of a view box that is stretched to the view's width.
const width = 1000;
const height = 8;
/** A part that is not nothing is seen, however small. */
const narrowest = 6;

/**
 * A bar of `parts`, each a share of the whole width, with an optional mark at a share. A picture: what it shows stands
 * as text beside it, and `label` says it to who cannot see.
 */
export const bar = (parts: readonly Part[], label: string, mark?: number): SVGElement => {
  let at = 0;
  const pieces = parts
    .filter(({ share }) => share > 0)
    .map(({ share, look }) => {
      const wide = Math.min(Math.max(share * width, narrowest), width - at);
      const piece = svg('rect', { x: at, y: 0, width: wide, height, class: look });
      at += wide;
      return piece;
    });
  const line =
    mark === undefined ? undefined : svg('rect', { x: mark * width - 3, y: 0, width: 6, height, class: 'mark' });
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', class: 'bar', role: 'img', 'aria-label': label },
    svg('rect', { x: 0, y: 0, width, height, class: 'track' }),
    ...pieces,
    line,
  );
};
