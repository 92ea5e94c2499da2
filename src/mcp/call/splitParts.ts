// Text parts that no client hides in a file.
import { partLimit } from '#base/text.ts';

/** Each part but the last ends with a line end: VS Code makes one text of them with nothing in between. */
export const onLinesOfTheirOwn = (parts: readonly string[]): string[] =>
  parts.map((part, n) => (n === parts.length - 1 || part === '' || part.endsWith('\n') ? part : `${part}\n`));

/** No part over the limit: a client hides a longer one in a file. Tools fit their answers; this holds the rest of them. */
export const splitParts = (parts: readonly string[]): string[] =>
  parts.flatMap((part) => {
    const pieces: string[] = [];
    let rest = part;
    while (rest.length > partLimit) {
      const line = rest.lastIndexOf('\n', partLimit - 1) + 1;
      const high = (rest.charCodeAt(partLimit - 1) & 0xfc00) === 0xd800;
      const cut = line > 0 ? line : partLimit - (high ? 1 : 0);
      pieces.push(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    return [...pieces, rest];
  });
