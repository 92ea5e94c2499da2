// Sessions in words.
import { counted, grouped, megabytes } from '#base/text.ts';
import type { DocumentInfo, SessionInfo } from '#drawer/types.ts';

/** `2026-11-29 12:00 UTC`. */
export const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A title may be a line of the content, so only a file's name is shown. */
export const documentLine = ({ id, kind, bytes, tokens, storedAt, source, title, keep }: DocumentInfo): string => {
  const name = source.kind === 'text' ? '' : ` ${title}`;
  const size = `${counted(bytes, 'byte')}, ${grouped(tokens)} tokens`;
  return `${id}${name}: ${kind}, ${size}, stored ${minute(storedAt)}${keep ? ', keep' : ''}`;
};

/** What a session is and holds: nothing of its content. */
export const sessionLine = (session: SessionInfo, own: string): string => {
  const { id, client, root, documents, bytes, kept, usedAt, expired } = session;
  return [
    `${id}${id === own ? ' (this one)' : ''}: ${client} in ${root || 'no folder'}`,
    `${counted(documents, 'document')}${kept > 0 ? `, ${kept} of them marked keep` : ''}, ${megabytes(bytes)}`,
    `last used ${minute(usedAt)}${expired ? ', expired: goes with the next purge' : ''}`,
  ].join('; ');
};
