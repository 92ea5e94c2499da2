// A purge in words.
import { counted, grouped } from '#base/text.ts';
import type { Purged } from '#drawer/types.ts';
import { sessionLine } from './sessionText.ts';

const mostIds = 60;

/** What a purge took, or would take. `call` is the call that does it. */
export const purgedText = ({ done, sessions, documents }: Purged, own: string, call: string): string => {
  if (sessions.length === 0) return 'Nothing to purge: no session has expired.';
  const count = sessions.reduce((sum, each) => sum + each.documents, 0);
  const ids = documents.slice(0, mostIds).join(', ');
  const named = count > 0 ? `: ${ids}${count > mostIds ? ` and ${grouped(count - mostIds)} more` : ''}` : '';
  const what = `${counted(sessions.length, 'session')} with ${counted(count, 'document')}${named}`;
  const lines = sessions.map((each) => sessionLine(each, own));
  return done
    ? [`Purged ${what}.`, ...lines, 'Nothing of them is left on disk; each id answers when it went.'].join('\n')
    : [`Nothing was purged yet. This would go, for good: ${what}.`, ...lines, `To purge: ${call}`].join('\n');
};
