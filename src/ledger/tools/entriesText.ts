// Entries in words.
import { grouped } from '#base/text.ts';
import type { EntryRow } from '#ledger/types.ts';

const tokensOf = ({ kind, tokens, excess, label }: EntryRow): string => {
  const beyond = excess > 0 ? `, ${grouped(excess)} beyond what the client would have read` : '';
  return kind === 'cache_hit' ? 'no tokens' : `${grouped(tokens)} tokens (${label})${beyond}`;
};

const partOf = ({ kind, part }: EntryRow): string[] =>
  part === 0 ? [] : [`${grouped(part)} of them ${kind === 'call' ? 'content to store' : 'fetched again'}`];

const latencyOf = ({ kind, latency }: EntryRow): string[] =>
  latency === undefined || kind === 'answer' ? [] : [`${grouped(latency)} ms${kind === 'cache_hit' ? ' saved' : ''}`];

/** One entry on a line; the counter where it is not the one that the header names. */
export const entryLine = (row: EntryRow, usual: string): string => {
  const named = [row.kind, row.tool, row.document].filter((part) => part !== '' && part !== undefined).join(' ');
  const time = new Date(row.at).toISOString().slice(0, 19).replace('T', ' ');
  const facts = [tokensOf(row), ...partOf(row), ...latencyOf(row), ...(row.counter === usual ? [] : [row.counter])];
  return `${row.id} ${time} ${named}: ${facts.join(', ')}`;
};
