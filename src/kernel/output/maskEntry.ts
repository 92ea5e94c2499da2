// Secrets in what is recorded.
import { maskText } from '#base/maskText.ts';
import type { Entry } from './entry.ts';
import type { Bundle } from '#kernel/backends/backend.ts';

const maskBundle = (bundle: Bundle): Bundle =>
  Object.fromEntries(
    Object.entries(bundle).map(([type, data]) => [
      type,
      typeof data === 'string' && type.startsWith('text/') ? maskText(data) : data,
    ]),
  );

/** An entry with its secrets masked, as it is recorded. Pictures and other data that are no text stay as they are. */
export const maskEntry = (entry: Entry): Entry => {
  switch (entry.kind) {
    case 'stdout':
    case 'stderr':
      return { ...entry, text: maskText(entry.text) };
    case 'result':
    case 'display':
    case 'update':
      return { ...entry, data: maskBundle(entry.data) };
    case 'error':
      return { ...entry, evalue: maskText(entry.evalue), traceback: entry.traceback.map(maskText) };
    default:
      return entry;
  }
};
