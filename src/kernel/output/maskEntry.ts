// Secrets in what is recorded besides the text of streams.
import { maskText } from '#base/maskText.ts';
import type { Bundle } from '#kernel/backends/backend.ts';
import type { Entry } from './entry.ts';

/** Of a value in JSON its name says whether it is a secret. */
const maskJson = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => maskJson(one, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskJson(inner, key)]));
  if (typeof value !== 'string') return value;
  const alone = maskText(value);
  if (alone !== value || name === '') return alone;
  const pair = JSON.stringify({ [name]: value });
  const masked = maskText(pair);
  return masked === pair ? value : (JSON.parse(masked) as Record<string, unknown>)[name];
};

const isText = (type: string): boolean => /^text\/|[/+](?:json|xml|javascript)$/.test(type);

const maskBundle = (bundle: Bundle): Bundle =>
  Object.fromEntries(
    Object.entries(bundle).map(([type, data]) => {
      if (!isText(type)) return [type, data];
      return [type, typeof data === 'string' ? maskText(data) : maskJson(data)];
    }),
  );

/** An entry with its secrets masked, as it is recorded. Pictures and other data that are no text stay as they are. */
export const maskEntry = (entry: Entry): Entry => {
  switch (entry.kind) {
    case 'result':
    case 'display':
    case 'update':
      return { ...entry, data: maskBundle(entry.data) };
    case 'error':
      return {
        ...entry,
        evalue: maskText(entry.evalue),
        // A mask keeps line ends.
        traceback: maskText(entry.traceback.join('\n')).split('\n'),
      };
    default:
      return entry;
  }
};
