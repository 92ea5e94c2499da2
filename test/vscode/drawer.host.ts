import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { unfenced } from '#drawer/tools/fenced.ts';
import { call, writeFile } from './loom.ts';
import type { Tests } from './runTests.ts';

// More than one page, and everything that a careless copy would change.
const log = `\uFEFF${Array.from({ length: 2_000 }, (_, n) => `${n} GET /items/${n * 7919} “ok” 数据 😀\t \r\n`).join('')}no end of line`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** All of a document, page by page. An answer is one line about it, then the bytes. */
const everyPage = async (id: string): Promise<string> => {
  let text = '';
  let cursor: string | undefined;
  do {
    const answer = await call('ctx_get', { id, ...(cursor !== undefined && { cursor }) });
    const { header, text: piece, cursor: next } = unfenced(answer);
    text += piece;
    cursor = next;
    assert(cursor !== undefined || header.includes('complete: yes'), `neither complete nor a cursor: ${header}`);
  } while (cursor !== undefined);
  return text;
};

export const drawerTests: Tests = {
  'a file of the workspace comes back byte for byte': async () => {
    const { fsPath } = await writeFile('access.log', log);
    const anchor = await call('ctx_store_file', { path: fsPath });
    assert(anchor.length < log.length / 10, `the anchor has ${anchor.length} characters`);
    const id = /\bd\d+\b/.exec(anchor)?.[0];
    assert(id, `no id in ${anchor.slice(0, 200)}`);
    assert.equal(sha256(await everyPage(id)), sha256(log));
  },

  'text in the call is stored under an id': async () => {
    const anchor = await call('ctx_store', { text: log, title: 'access' });
    assert.match(anchor, /\bd\d+\b/);
  },
};
