// Calls as models write them, through an MCP client on the HTTP door: what a person would understand is done, and what can
// mean two things is refused with both of them named.
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionInfo } from '#kernel/types.ts';
import { clientOfHost, openLoom, serviceWith, type TestClient, type TestLoom } from '../fixtures.ts';

let loom: TestLoom;
let client: TestClient;
let session: string;

const info: ExecutionInfo = {
  execution: 7,
  status: 'completed',
  submittedAt: 0,
  completedAt: 0,
  updatedAt: 0,
} as unknown as ExecutionInfo;

const served = (n: number): string =>
  Array.from(
    { length: n },
    (_, k) =>
      `${k + 1} INFO served request ${k * 7919} of /api/v1/orders/${k * 31}/items for 10.0.0.${k % 250} in ${k % 97} ms`,
  ).join('\n');

const files: Record<string, string> = {
  'app.log': served(200),
  'gopanic.log': `${served(200)}\npanic: runtime error: index out of range`,
  'logs/build.log': `${served(150)}\nBUILD FAILED`,
  'dir mit ü/b (1).log': `${served(160)}\nlast`,
  'odd:120': `${served(170)}\nodd`,
  'it\'s "x".log': `${served(180)}\nquoted`,
  'Upper.LOG': `${served(190)}\nupper`,
  'one/same.log': `${served(210)}\none`,
  'two/same.log': `${served(220)}\ntwo`,
};

beforeAll(async () => {
  loom = openLoom();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(loom.workspace, path, '..'), { recursive: true });
    writeFileSync(join(loom.workspace, path), text);
  }
  // A kernel that says what it was asked for.
  const answer = (args: object) =>
    Promise.resolve({
      info,
      text: JSON.stringify(args),
      complete: true,
      notes: [],
      images: [],
      rest: undefined,
    } as never);
  const page = (args: object) =>
    Promise.resolve({
      info,
      text: JSON.stringify(args),
      lines: [1, 1],
      totalLines: 1,
      images: [],
      complete: true,
    } as never);
  const kernel = serviceWith(loom.services.kernel, {
    run: answer,
    wait: answer,
    readOutput: page,
    interrupt: () => Promise.resolve({ execution: undefined, pid: undefined }) as never,
  });
  const house = { ...loom.house, services: { ...loom.house.services, kernel } };
  client = await clientOfHost(await loom.host('all', { house }));
  for (const path of ['app.log', 'gopanic.log', 'logs/build.log', 'one/same.log', 'two/same.log'])
    await client.ask('ctx_store_file', { path, keep: true, budget: 200 });
  for (const n of [1, 2])
    await client.ask('ctx_store', { text: `${served(230)}\nrun ${n}`, title: 'npm test', keep: true });
  session = await loom.services.drawer.session({ client: 'vscode', root: loom.workspace });
});
afterAll(() => loom.close());

type Row = [what: string, tool: string, args: unknown, told: string | RegExp];

const filled = <T>(value: T): T => {
  const places: Record<string, string> = { WS: loom.workspace, WSNAME: basename(loom.workspace), SESSION: session };
  return JSON.parse(
    JSON.stringify(value).replaceAll(/\{(WS|WSNAME|SESSION)\}/g, (_, name: string) => places[name] ?? ''),
  ) as T;
};

const answered = async (tool: string, args: unknown): Promise<string> => client.ask(tool, filled(args));

const tail = /\| lines 196-200 of 200 /;
const pair = /\| lines 198-199 of 200 /;
const app = /^d1 app\.log\n/;

const empty: Row[] = [
  ['blank doc and cursor', 'ctx_search', { query: 'panic', doc: '', cursor: '' }, 'panic: runtime error'],
  ['null doc and cursor', 'ctx_search', { query: 'panic', doc: null, cursor: null }, 'panic: runtime error'],
  ['a list without anything for doc', 'ctx_search', { query: 'panic', doc: [] }, 'panic: runtime error'],
  ['an object without anything for doc', 'ctx_search', { query: 'panic', doc: {} }, 'panic: runtime error'],
  ['blanks only', 'ctx_search', { query: 'panic', doc: '  ', limit: ' ' }, 'panic: runtime error'],
  ['a blank flag', 'ctx_search', { query: 'panic', regex: '' }, 'panic: runtime error'],
  ['a blank session of a tool that reads', 'ctx_search', { query: 'panic', session: '' }, 'panic: runtime error'],
  ['blank bytes beside lines', 'ctx_get', { id: 'd2', lines: '201-201', bytes: '', cursor: '' }, 'panic: runtime'],
  ['blank ids beside id', 'ctx_get', { id: 'd1', ids: [], lines: '-5' }, tail],
  ['a blank id among several', 'ctx_get', { ids: ['d1', '', null], lines: '-5' }, tail],
  ['a blank id beside ids', 'ctx_get', { id: '', ids: ['d1'], lines: '-5' }, tail],
  ['a blank encoding', 'ctx_get', { id: 'd1', lines: '-5', encoding: '' }, tail],
  ['a blank query of a store', 'ctx_store_file', { path: 'app.log', query: '', title: '' }, app],
  ['a blank budget', 'ctx_store_file', { path: 'app.log', budget: '', keep: null }, app],
  ['a blank path beside paths', 'ctx_store_file', { path: '', paths: ['app.log'] }, app],
  ['a blank path among several', 'ctx_store_file', { paths: ['app.log', ''] }, app],
  ['a blank cell', 'read_python_output', { execution: '', lines: '', cursor: '' }, 'In [7] completed'],
  ['a null stream', 'read_python_output', { execution: null, stream: null }, '"stream":"combined"'],
  ['a word for no cell', 'read_python_output', { execution: 'null' }, /^(?!.*"execution").*In \[7\]/s],
  ['a blank wait', 'run_python', { code: '1', timeout_seconds: '' }, 'In [7] completed'],
  ['a null wait', 'wait_python', { execution: 7, timeout_seconds: null }, '"wait":30000'],
  ['a blank kind of entries', 'ledger', { view: 'entries', kind: '', tool: '' }, 'newest first'],
  ['a blank confirmation', 'ctx_purge_session', { confirm: '' }, /would/],
  ['a null confirmation', 'ctx_purge_expired', { confirm: null }, /nothing|would|No session/i],
  ['a blank profile', 'ctx_profile', { profile: '' }, 'The profile is strict'],
  ['null arguments of a router', 'loom_op', { op: 'ctx_vector_stats', arguments: null }, 'Semantic'],
  ['a list for a router’s arguments', 'loom_op', { op: 'ctx_vector_stats', arguments: [] }, 'Semantic'],
  ['a blank for a router’s arguments', 'loom_op', { op: 'ctx_vector_stats', arguments: '' }, 'Semantic'],
  ['a JSON text for a router’s arguments', 'loom_op', { op: 'ctx_get', arguments: '{"id":"d1","lines":"-5"}' }, tail],
  ['a blank op beside a query', 'loom_op', { op: '', query: 'wait' }, 'wait_python'],
];

const forms: Row[] = [
  ['a limit over the most', 'ctx_search', { query: 'served', limit: 1000 }, /limit 1000 is over the most: 50 taken/],
  ['a limit over the most, as text', 'ctx_search', { query: 'served', limit: '1000' }, '50 taken'],
  ['all of them', 'ctx_search', { query: 'served', limit: 'all' }, '50 taken'],
  ['a budget over the most', 'ctx_store_file', { path: 'app.log', budget: 99_999 }, '20000 taken'],
  ['more entries than there may be', 'ledger', { view: 'entries', limit: 100_000 }, '500 taken'],
  [
    'an explanation',
    'ctx_search',
    { query: 'panic', explanation: 'because' },
    /^ignored, no argument of ctx_search: explanation\./,
  ],
  [
    'reasoning beside code',
    'run_python',
    { code: '1', reasoning: 'to see' },
    'ignored, no argument of run_python: reasoning',
  ],
  ['a dummy', 'interrupt_python', { random_string: 'x' }, 'ignored, no argument of interrupt_python: random_string'],
  [
    'a thought and a progress',
    'ctx_get',
    { id: 'd1', lines: '-5', thought: 'x', task_progress: '- [ ]' },
    'thought, task_progress',
  ],
  ['a purpose beside a router’s op', 'loom_op', { op: 'ctx_vector_stats', purpose: 'x' }, 'ignored'],
  ['one doc in a list', 'ctx_search', { query: 'served', doc: ['d1'] }, '\nd1 app.log'],
  ['one query in a list', 'ctx_search', { query: ['panic'] }, 'panic: runtime error'],
  ['one cell in a list', 'read_python_output', { execution: [7] }, '"execution":7'],
  ['a cell as answers write it', 'read_python_output', { execution: 'In [7]' }, '"execution":7'],
  ['a stream in capitals', 'read_python_output', { stream: 'STDOUT' }, '"stream":"stdout"'],
  ['seconds with their unit', 'wait_python', { execution: 7, timeout_seconds: '20s' }, '"wait":20000'],
  ['yes for true', 'run_python', { code: '1', full_output: 'yes' }, '"fullOutput":true'],
  ['1 for true', 'run_python', { code: '1', full_output: 1 }, '"fullOutput":true'],
  ['camel case', 'run_python', { code: '1', timeoutSeconds: 5 }, '"wait":5000'],
  ['the kernel contract’s freeform', 'run_python', { freeform: '1 + 1' }, '"code":"1 + 1"'],
  ['the kernel contract’s line_range', 'read_python_output', { line_range: '-20:' }, '"lines":"-20:"'],
  ['everything in args', 'ctx_get', { args: { id: 'd1', lines: '-5' } }, tail],
  ['everything in arguments, as JSON', 'ctx_get', { arguments: '{"id":"d1","lines":"-5"}' }, tail],
];

const ranges: Row[] = [
  ['the last five', 'ctx_get', { id: 'd1', lines: '-5' }, tail],
  ['the last five, as a number', 'ctx_get', { id: 'd1', lines: -5 }, tail],
  ['the last five, open', 'ctx_get', { id: 'd1', lines: '-5:' }, tail],
  ['the last five, to the last', 'ctx_get', { id: 'd1', lines: '-5:-1' }, tail],
  ['the last five, in words', 'ctx_get', { id: 'd1', lines: 'last 5' }, tail],
  ['tail -n 5', 'ctx_get', { id: 'd1', lines: 'tail -n 5' }, tail],
  ['to the end', 'ctx_get', { id: 'd1', lines: '196-' }, tail],
  ['to the end, with a colon', 'ctx_get', { id: 'd1', lines: '196:' }, tail],
  ['to the end, in words', 'ctx_get', { id: 'd1', lines: '196-end' }, tail],
  ['a pair', 'ctx_get', { id: 'd1', lines: [198, 199] }, pair],
  ['a pair of texts', 'ctx_get', { id: 'd1', lines: ['198', '199'] }, pair],
  ['a pair as text', 'ctx_get', { id: 'd1', lines: '[198, 199]' }, pair],
  ['start and end', 'ctx_get', { id: 'd1', lines: { start: 198, end: 199 } }, pair],
  ['one range in a list', 'ctx_get', { id: 'd1', lines: ['198-199'] }, pair],
  ['L-numbers', 'ctx_get', { id: 'd1', lines: 'L198-L199' }, pair],
  ['a fragment', 'ctx_get', { id: 'd1', lines: '#L198-L199' }, pair],
  ['two dots', 'ctx_get', { id: 'd1', lines: '198..199' }, pair],
  ['a long dash', 'ctx_get', { id: 'd1', lines: '198–199' }, pair],
  ['to', 'ctx_get', { id: 'd1', lines: '198 to 199' }, pair],
  ['lines before it', 'ctx_get', { id: 'd1', lines: 'lines 198-199' }, pair],
  ['in quotes', 'ctx_get', { id: 'd1', lines: '"198-199"' }, pair],
  ['one line as a number', 'ctx_get', { id: 'd1', lines: 198 }, /lines 198-198 /],
  ['the first ten', 'ctx_get', { id: 'd1', lines: ':10' }, /lines 1-10 /],
  ['from nought', 'ctx_get', { id: 'd1', lines: '0-10' }, /lines 1-10 /],
  ['beyond the end', 'ctx_get', { id: 'd1', lines: '196-1,000' }, tail],
  ['a tail that is longer than all', 'ctx_get', { id: 'd1', lines: '-1000:' }, /lines 1-\d+ of 200 /],
  ['the last bytes', 'ctx_get', { id: 'd1', bytes: '-4:' }, /bytes \d+-\d+ of .*\n```\n\d ms\n```$/],
  ['a pair of bytes', 'ctx_get', { id: 'd1', bytes: [0, 5] }, /bytes 0-5 of/],
  ['a range behind the id', 'ctx_get', { id: 'd1:198-199' }, pair],
  ['a fragment behind the id', 'ctx_get', { id: 'd1#L198-L199' }, pair],
  ['a range behind the id, in words', 'ctx_get', { id: 'd1 lines 198-199' }, pair],
  [
    'ranges behind several ids',
    'ctx_get',
    { ids: ['d1:198-199', 'd2:201'] },
    /lines 198-199 of 200 [^]*panic: runtime/,
  ],
  ['a pair of a cell’s lines', 'read_python_output', { execution: 7, lines: [198, 199] }, '"lines":"198:199"'],
  ['a number of a cell’s lines', 'read_python_output', { execution: 7, lines: -20 }, '"lines":"-20"'],
];

const ids: Row[] = [
  ['a capital', 'ctx_get', { id: 'D1', lines: '-5' }, tail],
  ['a number', 'ctx_get', { id: 1, lines: '-5' }, tail],
  ['in quotes', 'ctx_get', { id: '"d1"', lines: '-5' }, tail],
  ['in backticks', 'ctx_get', { id: '`d1`', lines: '-5' }, tail],
  ['in brackets', 'ctx_get', { id: '[d1]', lines: '-5' }, tail],
  ['document before it', 'ctx_get', { id: 'document d1', lines: '-5' }, tail],
  ['the title behind it', 'ctx_get', { id: 'd1 app.log', lines: '-5' }, tail],
  ['ids in a list for id', 'ctx_get', { id: ['d1', 'd2'], lines: '1' }, /^d1 app\.log[^]*^d2 gopanic\.log/m],
  ['ids in one text', 'ctx_get', { ids: 'd1, d2', lines: '1' }, /^d1 app\.log[^]*^d2 gopanic\.log/m],
  ['its title', 'ctx_get', { id: 'app.log', lines: '-5' }, tail],
  ['its title with lines', 'ctx_get', { id: 'app.log:198-199' }, pair],
  ['its title for a search', 'ctx_search', { query: 'served', doc: 'app.log' }, '\nd1 app.log'],
  ['the end of its title', 'ctx_search', { query: 'FAILED', doc: 'build.log' }, '\nd3 logs/build.log'],
  ['a path that is its title', 'ctx_search', { query: 'FAILED', doc: './logs/build.log' }, '\nd3 logs/build.log'],
  ['a title to verify', 'ctx_verify', { doc: 'gopanic.log' }, '1 document'],
  ['a title to check', 'ctx_check', { facts: 'index out of range', doc: 'gopanic.log' }, 'd2 line 201'],
  ['a pattern in a title', 'ctx_search', { query: '^panic', regex: true, doc: 'gopanic.log' }, 'panic: runtime'],
];

const around120 = /\n-- around line 120, verbatim\n115: [^]*\n120: 120 INFO[^]*"lines":"110-169"\}$/;

const paths: Row[] = [
  ['a line', 'ctx_store_file', { path: 'app.log:120' }, around120],
  ['a line and a column', 'ctx_store_file', { path: 'app.log:120:8' }, around120],
  ['a fragment', 'ctx_store_file', { path: 'app.log#L120' }, around120],
  ['a fragment of several lines', 'ctx_store_file', { path: 'app.log#L120-L130' }, around120],
  ['a range', 'ctx_store_file', { path: 'app.log:120-130' }, around120],
  ['a compiler’s place', 'ctx_store_file', { path: 'app.log(120,8)' }, around120],
  ['a traceback’s place', 'ctx_store_file', { path: 'File "app.log", line 120' }, around120],
  ['a line in words', 'ctx_store_file', { path: 'app.log line 120' }, around120],
  ['a line in backticks', 'ctx_store_file', { path: '`app.log:120`' }, around120],
  ['a blank before it', 'ctx_store_file', { path: ' app.log' }, app],
  ['a line break behind it', 'ctx_store_file', { path: 'app.log\n' }, app],
  ['quotes', 'ctx_store_file', { path: '"app.log"' }, app],
  ['single quotes', 'ctx_store_file', { path: "'app.log'" }, app],
  ['backticks', 'ctx_store_file', { path: '`app.log`' }, app],
  ['angle brackets', 'ctx_store_file', { path: '<app.log>' }, app],
  ['a link', 'ctx_store_file', { path: '[the log](app.log)' }, app],
  ['a chat’s mention', 'ctx_store_file', { path: '#file:app.log' }, app],
  ['one in a list', 'ctx_store_file', { path: ['app.log'] }, app],
  ['one in a list, as text', 'ctx_store_file', { path: '["app.log"]' }, app],
  ['several in a list', 'ctx_store_file', { path: ['app.log', 'gopanic.log'] }, /^d1 app\.log[^]*^d2 gopanic\.log/m],
  ['several in a list, as text', 'ctx_store_file', { path: '["app.log","gopanic.log"]' }, /^d1 app[^]*^d2 gopanic/m],
  ['a file URL', 'ctx_store_file', { path: 'file://{WS}/app.log' }, app],
  ['a file URL with a host', 'ctx_store_file', { path: 'file://localhost{WS}/app.log' }, app],
  ['a file URL without an authority', 'ctx_store_file', { path: 'file:{WS}/app.log' }, app],
  ['a file URL of a relative path', 'ctx_store_file', { path: 'file://app.log' }, app],
  [
    'an encoded file URL',
    'ctx_store_file',
    { path: 'file://{WS}/dir%20mit%20%C3%BC/b%20(1).log' },
    'dir mit ü/b (1).log',
  ],
  ['a file URL with a line', 'ctx_store_file', { path: 'file://{WS}/app.log#L120' }, around120],
  ['an encoded path', 'ctx_store_file', { path: 'dir%20mit%20%C3%BC/b%20(1).log' }, 'dir mit ü/b (1).log'],
  ['a remote of VS Code', 'ctx_store_file', { path: 'vscode-remote://ssh-remote%2Bhost{WS}/app.log' }, app],
  ['a link of VS Code', 'ctx_store_file', { path: 'vscode://file{WS}/app.log:120:8' }, around120],
  ['backslashes', 'ctx_store_file', { path: 'logs\\build.log' }, /^d3 logs\/build\.log/],
  [
    'the workspace on Windows',
    'ctx_store_file',
    { path: 'C:\\Users\\dev\\{WSNAME}\\logs\\build.log' },
    /^d3 logs\/build\.log/,
  ],
  ['a glob in quotes', 'ctx_store_file', { path: '"logs/*.log"' }, /^d3 logs\/build\.log/],
  ['a glob in a file URL', 'ctx_store_file', { path: 'file://{WS}/logs/*.log' }, /^d3 logs\/build\.log/],
  ['a name that looks decorated', 'ctx_store_file', { path: 'odd:120' }, /^d\d+ odd:120\n(?![^]*-- around)/],
  ['such a name with a line', 'ctx_store_file', { path: 'odd:120:8' }, /^d\d+ odd:120\n[^]*-- around line 8, verbatim/],
  ['a name with quotes', 'ctx_store_file', { path: 'it\'s "x".log' }, 'it\'s "x".log'],
];

const understood = [...empty, ...forms, ...ranges, ...ids, ...paths];

describe('what a person would understand is done', () => {
  test.each(understood)('%s: %s %j', async (_, tool, args, told) => {
    const answer = await answered(tool, args);
    expect(answer).not.toMatch(/^Error/);
    if (typeof told === 'string') expect(answer).toContain(told);
    else expect(answer).toMatch(told);
  });
});

const refused: Row[] = [
  [
    'a blank session to purge',
    'ctx_purge_session',
    { session: '', confirm: true },
    'session: is empty, and it chooses what',
  ],
  ['a null session to purge', 'ctx_purge_session', { session: null, confirm: true }, 'Leave it out, or name one'],
  ['a list for a session to purge', 'ctx_purge_session', { session: [], confirm: true }, 'session: is empty'],
  ['an object for a session to purge', 'ctx_purge_session', { session: {}, confirm: true }, 'session: is empty'],
  ['blanks for a session to purge', 'ctx_purge_session', { session: ' ', confirm: true }, 'session: is empty'],
  [
    'a filter that a purge has not',
    'ctx_purge_session',
    { ids: [], confirm: true },
    /unknown "ids"[^]*\nexample: ctx_purge_session \{"session":"0/,
  ],
  ['a session for what has expired', 'ctx_purge_expired', { session: '', confirm: true }, 'unknown "session"'],
  ['nothing to transfer', 'ctx_transfer', { ids: [], to_session: '{SESSION}' }, 'ids: '],
  ['several in one text, one of which there is not', 'ctx_transfer', { ids: 'd1, d99', to_session: 'x' }, 'no session'],
  ['a blank source', 'ctx_transfer', { ids: ['d1'], from_session: '' }, 'from_session: is empty'],
  ['a blank target', 'ctx_transfer', { ids: ['d1'], to_session: '' }, 'to_session: is empty'],
  ['a blank session of a profile', 'ctx_profile', { profile: 'strict', session: '' }, 'session: is empty'],
  ['a blank folder of a command', 'ctx_store_cmd', { command: 'ls', cwd: '' }, 'cwd: is empty, and it chooses what'],
  ['a null folder of a command', 'ctx_store_cmd', { command: 'ls', cwd: null }, 'cwd: is empty'],
  [
    'a title of two documents',
    'ctx_get',
    { id: 'npm test', lines: '-5' },
    'npm test is d6 and d7: give one of these ids.',
  ],
  ['a title of two, for a search', 'ctx_search', { query: 'run', doc: 'npm test' }, 'npm test is d6 and d7'],
  [
    'the end of two titles',
    'ctx_search',
    { query: 'one', doc: 'same.log' },
    'same.log is d4 (one/same.log) and d5 (two/same.log)',
  ],
  ['two documents for one', 'ctx_search', { query: 'served', doc: ['d1', 'd2'] }, 'doc: '],
  ['two documents for one, as text', 'ctx_search', { query: 'served', doc: 'd1 and d2' }, 'is no id'],
  ['lines twice', 'ctx_get', { id: 'd1:198-199', lines: '1-5' }, 'd1:198-199 names lines, and so does lines'],
  [
    'lines where a document is meant',
    'ctx_search',
    { query: 'served', doc: 'd1:198-199' },
    'which are chosen only by ctx_get',
  ],
  ['lines and bytes', 'ctx_get', { id: 'd1', lines: '-5', bytes: '0-4' }, 'bytes: either lines or bytes'],
  ['one number or two', 'ctx_get', { id: 'd1', lines: '198,199' }, 'write "198-199" or "198199"'],
  ['a thousand or a pair', 'ctx_get', { id: 'd1', lines: '1,200' }, 'write "1-200" or "1200"'],
  ['a tail or a head', 'ctx_get', { id: 'd1', lines: '-20-10' }, 'write "-20:" or ":10"'],
  ['two ranges', 'ctx_get', { id: 'd1', lines: '1-5,10-12' }, 'is more than one range'],
  ['two ranges in a list', 'ctx_get', { id: 'd1', lines: ['1-5', '10-12'] }, 'lines: '],
  ['from behind', 'ctx_get', { id: 'd1', lines: '20-10' }, 'write "10-20"'],
  ['line nought', 'ctx_get', { id: 'd1', lines: '0' }, 'lines count from 1'],
  ['two words for a query', 'ctx_search', { query: ['a', 'b'] }, 'query: '],
  ['a stream that there is not', 'read_python_output', { stream: 'log' }, 'stream: '],
  ['half a limit', 'ctx_search', { query: 'x', limit: 2.5 }, 'limit: '],
  ['no limit at all', 'ctx_search', { query: 'x', limit: 0 }, 'limit: '],
  ['code under two names', 'run_python', { code: '1', freeform: '2' }, 'unknown "freeform"'],
  ['JSON that is cut', 'ctx_get', { args: '{"id":"d1"' }, 'its text is no whole JSON object'],
  [
    'a Windows path of elsewhere',
    'ctx_store_file',
    { path: 'C:\\Users\\dev\\nope.log' },
    /There is no file(?!.*(finds|may be))/,
  ],
  [
    'a file of the home',
    'ctx_store_file',
    { path: '~/loom-nope.log' },
    `${join(homedir(), 'loom-nope.log')} lies outside`,
  ],
  ['a file URL of elsewhere', 'ctx_store_file', { path: 'file:///etc/hostname' }, '/etc/hostname lies outside'],
  ['a line of a file of elsewhere', 'ctx_store_file', { path: '/etc/hostname:1' }, /hostname:1 lies outside/],
  ['the same of no file', 'ctx_store_file', { path: '/etc/loom-nope:1' }, /loom-nope:1 lies outside/],
  ['an encoded way out', 'ctx_store_file', { path: '%2e%2e%2f%2e%2e%2fetc%2fhostname' }, /Error FILE_/],
  ['a way out in a file URL', 'ctx_store_file', { path: 'file://{WS}/../../etc/hostname' }, 'lies outside'],
  ['no such file', 'ctx_store_file', { path: 'nope.log:120' }, 'No file of that name lies in the workspace.'],
  [
    'a file in another folder',
    'ctx_store_file',
    { path: 'build.log:120' },
    'It may be ctx_store_file {"path":"logs/build.log"}.',
  ],
  ['a file in another case', 'ctx_store_file', { path: 'upper.log' }, 'It may be ctx_store_file {"path":"Upper.LOG"}.'],
];

describe('what can mean two things, or nothing, is refused with the way out', () => {
  test.each(refused)('%s: %s %j', async (_, tool, args, told) => {
    const answer = await answered(tool, args);
    expect(answer).toMatch(/^Error [A-Z_]+ \(\w+, do not retry unchanged\): /);
    if (typeof told === 'string') expect(answer).toContain(told);
    else expect(answer).toMatch(told);
  });

  test('nothing went', async () => {
    expect(await client.ask('ctx_list_sessions', { session })).toMatch(/^\d\d? documents/);
  });
});

test('every optional argument of a tool that changes something is known to choose, or not to, what it acts on', async () => {
  const harmless = ['title', 'budget', 'keep', 'profile', 'explain', 'session', 'timeout_seconds', 'move', 'confirm'];
  const more = ['full_output', 'interrupt_on_cancel', 'arguments', 'query'];
  const unknown = loom.house.tools
    .filter(({ effect }) => effect !== 'read' && effect !== 'keep')
    .flatMap(({ name, input, selects = [] }) => {
      const optional = Object.keys(input.shape).filter((key) => input.shape[key]?.safeParse(undefined).success);
      // A session that can only be one's own chooses nothing.
      const others = optional.filter((key) => !selects.includes(key) && ![...harmless, ...more].includes(key));
      const open = optional.includes('session') && !selects.includes('session') && name !== 'ctx_store_cmd';
      return [...others, ...(open ? ['session'] : [])].map((key) => `${name} ${key}`);
    });
  expect(unknown).toEqual([]);
});

test('there are enough of them', () => {
  expect(understood.length).toBeGreaterThanOrEqual(100);
  expect(refused.length).toBeGreaterThanOrEqual(20);
});
