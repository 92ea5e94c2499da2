import { expect, test } from 'vitest';
import { clientName } from '#mcp/caller.ts';

test.each([
  ['a name', 'claude-code', 'claude-code'],
  ['none', undefined, 'unknown'],
  ['blanks alone', ' \n\t', 'unknown'],
  ['several lines', 'a\nb\r\nError c', 'a b Error c'],
  ['control sequences', 'a\u001b[31mb\u0007', 'a [31mb'],
  ['other ends of lines', 'a\u2028b\u0085c', 'a b c'],
  ['a change of direction', 'a\u202eb', 'a b'],
  ['a long one', 'x'.repeat(10_000), 'x'.repeat(64)],
])('a client’s name is one short line: %s', (_, given, name) => expect(clientName(given)).toBe(name));
