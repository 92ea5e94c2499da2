// `ctx_get`: exact bytes, a page at a time.
import { z } from 'zod';
import { grouped, partLimit } from '#base/text.ts';
import { splitIds } from '#drawer/ids.ts';
import type { Excerpt as Stretch } from '#drawer/types.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { parseRange, rangeField } from '#text/range.ts';
import { fenced } from './fenced.ts';
import { ownSession, readInOwnOrThrow } from './ownSession.ts';
import { standingWords } from './passagesText.ts';

/** Room for the header line above the text. */
const headerUnits = 400;

const header = (stretch: Stretch, cursor: string | undefined): string => {
  const { id, title, lines, bytes, totalLines, totalBytes, encoding, masked } = stretch;
  return [
    `${id} ${title}`,
    ...standingWords(stretch),
    `lines ${lines[0]}-${lines[1]} of ${grouped(totalLines)}`,
    `bytes ${bytes[0]}-${bytes[1]} of ${grouped(totalBytes)}`,
    ...(encoding === 'base64' ? ['base64'] : []),
    ...(masked ? ['secrets masked as ‹redacted:…›: do not write such lines back'] : []),
    cursor === undefined ? 'complete: yes' : `complete: no, next cursor: ${cursor}`,
  ].join(' | ');
};

export const get = defineTool({
  name: 'ctx_get',
  title: 'Get exact bytes from the drawer',
  description:
    'Use to read stored content by the id that an anchor or ctx_search gave: exact text, by line or byte range. One header ' +
    'line, then the text in a fence. Ask for the lines you need. Not for a whole document, and not for finding something (ctx_search).',
  toolsets: ['core', 'drawer'],
  effect: 'read',
  needs: ['drawer'],
  input: z
    .object({
      id: z.string().optional().describe('d7 (document) or d7.12 (chunk).'),
      ids: z.array(z.string()).max(50).optional().describe('Several ids.'),
      lines: rangeField.optional().describe('"120-180", from 1.'),
      bytes: rangeField.optional().describe('"0-4095", from 0.'),
      cursor: z.string().optional().describe('From the header of the page before.'),
      encoding: z.enum(['text', 'base64']).optional().describe('base64 for binary.'),
      session: ownSession,
    })
    .refine(({ id: one, ids }) => one !== undefined || (ids?.length ?? 0) > 0, {
      message: 'id or ids is required',
      path: ['id'],
    })
    .refine(({ lines, bytes }) => lines === undefined || bytes === undefined, {
      message: 'either lines or bytes, as they may name different parts',
      path: ['bytes'],
    }),
  // What is no text comes as base64 unasked.
  unlisted: ['encoding', 'session'],
  example: { id: 'd7', lines: '120-180' },
  run: async ({ id: one, ids = [], lines, bytes, cursor, encoding, session }, { drawer, caller, control }) => {
    const wanted = (one === undefined ? ids : [one, ...ids]).flatMap(splitIds);
    readInOwnOrThrow(caller, session, wanted);
    const { stretches, cursor: next } = await drawer.get(
      {
        session: caller.session,
        ids: wanted,
        lines: lines === undefined ? undefined : parseRange(lines, 'lines'),
        bytes: bytes === undefined ? undefined : parseRange(bytes, 'bytes'),
        cursor,
        encoding,
        units: partLimit - headerUnits,
      },
      control,
    );
    const last = stretches.length - 1;
    return {
      parts: stretches.map((stretch, n) => fenced(header(stretch, n === last ? next : undefined), stretch.text)),
      returned: stretches.map(({ text }) => text).join(''),
    };
  },
});
