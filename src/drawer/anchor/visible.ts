// What of a document an anchor shows: the text of its body that is content, and the invariants in it.
import type { InvariantKind } from '#drawer/contents.ts';
import { invariantsOf } from '#drawer/invariants/extract.ts';

/*
 * An anchor's body has a form: lines behind their number, outline entries behind theirs, values behind their
 * kind. Numbers that the anchor itself counts are none of the document's.
 */

const heading = /^-- (\w+)/;
const note = /^ {3}\(/;
const lineNumber = /^\d+: /;
const values = /^(?:[a-z]+ [\d,]+(?: \([^)]*\))?:)? /;
/** `24 ` before an entry, `×300` and `{24 keys}` in it. */
const entryNumber = /(?:^|(?<= · ))\d+ (?=\S)|×[\d,]+|\{[\d,]+ (?:keys?|items?)\}|\[[\d,]+(?= |\])/g;

const contentOf = (section: string, line: string): string => {
  if (section === 'lines')
    return note.test(line) ? '' : line.replace(lineNumber, '').replace(/ … \([\d,]+ more bytes?\)$/, '');
  if (section === 'invariants') return line.replace(values, ' ');
  return line.replaceAll(entryNumber, ' ');
};

/** The text of the document that an anchor's body shows. */
export const visibleText = (body: string): string => {
  let section = '';
  const shown: string[] = [];
  for (const line of body.split('\n')) {
    const named = heading.exec(line)?.[1];
    if (named === undefined) shown.push(contentOf(section, line));
    else section = named;
  }
  return shown.join('\n');
};

/** The invariants that an anchor's body shows, each once. */
export const visibleInvariants = (body: string): { kind: InvariantKind; text: string }[] => {
  const seen = new Map(invariantsOf(visibleText(body)).map((found) => [`${found.kind} ${found.text}`, found]));
  return Array.from(seen.values());
};
