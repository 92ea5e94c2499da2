// The drawer where a session begins, and where everything is searched.
import { counted, grouped, megabytes } from '#base/text.ts';
import { defineOverview } from '#mcp/defineOverview.ts';
import { passagesText } from './tools/passagesText.ts';
import { documentLine } from './tools/sessionText.ts';

const latest = 8;

export const overview = defineOverview({
  title: 'Drawer',
  needs: ['drawer'],
  ways: [
    ['ctx_store_file', 'a file that is large or of unknown size: ctx_store_file {"path":"…"}'],
    ['ctx_search', 'find lines in what is stored: ctx_search {"query":"…"}'],
    ['ctx_get', 'exact lines: ctx_get {"id":"d7","lines":"120-180"}'],
  ],
  state: async ({ drawer, caller: { session } }) => {
    const [sessions, documents] = await Promise.all([
      drawer.sessions({}),
      drawer.documents({ session, limit: latest }),
    ]);
    const own = sessions.find(({ id }) => id === session);
    if (own === undefined || own.documents === 0) return 'Drawer of this session: empty.';
    const head = `Drawer of this session: ${counted(own.documents, 'document')}, ${megabytes(own.bytes)}. The latest:`;
    return [head, ...documents.map(documentLine)].join('\n');
  },
  find: async ({ query, limit, units }, { drawer, caller: { session }, control, named }) => {
    const { passages, more, searched, otherSessions, cursor } = await drawer.search(
      { session, query, limit, units },
      control,
    );
    const scope = counted(searched.documents, 'document');
    const others = otherSessions === 0 ? '' : `; ${counted(otherSessions, 'document')} of other sessions not searched`;
    if (passages.length === 0) return { text: `Drawer: no match in ${scope}${others}.`, returned: '' };
    const next = more > 0 ? [named(`${grouped(more)} more: ctx_search ${JSON.stringify({ query, cursor })}`)] : [];
    const head = `Drawer: ${counted(passages.length, 'passage')} of ${scope}${others}`;
    const text = [head, passagesText(passages), ...next].join('\n');
    return { text, returned: passages.map((passage) => passage.text).join('') };
  },
});
