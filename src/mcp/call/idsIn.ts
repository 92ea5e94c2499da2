// The ids in a call's arguments, for the audit.
import type { Fields } from './json.ts';

const documentNames = ['id', 'ids', 'doc'];
const mostIds = 20;

/** The ids that a call names: documents, chunks, cells. Whatever else stands there, being content, is left out. */
export const idsIn = (args: Fields): string[] => {
  const documents = documentNames
    .flatMap((name) => args[name])
    .filter((id): id is string => typeof id === 'string' && /^d\d{1,9}(\.\d{1,9})?$/.test(id));
  const cell = Number.isSafeInteger(args['execution']) ? [`In [${String(args['execution'])}]`] : [];
  return [...documents.slice(0, mostIds), ...cell];
};
