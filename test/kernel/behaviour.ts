// What every back end does, through a real MCP client. Each runs the same rows; a trait says what one cannot do.
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openKernel, type OpenKernel, type Python } from './openKernel.ts';

export type Traits = {
  /** Threads, processes, signals: false in WebAssembly. */
  processes: boolean;
  /** The real ipykernel decides: stdout and stderr in no exact order, threads told as the cell of the moment, `await` not interruptible. */
  relayed: boolean;
  magics: boolean;
};

const header = (text: string): string => text.split('\n')[0] ?? '';
const body = (text: string): string => text.split('\n').slice(1).join('\n');
const numberOf = (text: string): number => Number(/^In \[(\d+)\]/.exec(text)?.[1]);

/** Whether a process is there. A zombie is not. */
export const lives = (pid: number): boolean => {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
};

/** Waits for a condition that comes about by itself. */
export const until = async (what: string, met: () => boolean | Promise<boolean>): Promise<void> => {
  for (let n = 0; n < 200; n++) {
    if (await met()) return;
    await delay(50);
  }
  throw new Error(`never came about: ${what}`);
};

export const behaves = (name: string, choice: OpenKernel, traits: Traits): void => {
  describe(name, () => {
    let python: Python;
    beforeAll(async () => {
      python = await openKernel(choice);
    });
    afterAll(() => python.close());
    const { processes, relayed, magics } = traits;
    const when = (met: boolean) => (met ? test : test.skip);
    /** What a cell put out on one stream. */
    const read = async (args: object): Promise<string> => body(await python.ask('read_python_output', args));

    test('names stay, numbers go up, and the first line says how it went', async () => {
      const first = await python.run('kept = 20');
      const second = await python.run('kept + 1');
      expect(header(first)).toMatch(/^In \[\d+\] completed, \d+\.\d s, complete: yes$/);
      expect(numberOf(second)).toBe(numberOf(first) + 1);
      expect(body(second)).toBe(`Out[${numberOf(second)}]: 21`);
    });

    test.each([
      ['a value', '1 + 1', 'completed', /^Out\[\d+\]: 2$/],
      ['nothing', 'x = 1', 'completed', /^$/],
      ['an empty cell', '', 'completed', /^$/],
      ['a comment', '# nothing', 'completed', /^$/],
      ['print', 'print("a"); print("b")', 'completed', /^a\nb$/],
      ['print and a value', 'print("a"); "z"', 'completed', /^a\nOut\[\d+\]: 'z'$/],
      ['no line end before the value', 'print("abc", end=""); 7', 'completed', /^abc\nOut\[\d+\]: 7$/],
      ['a semicolon', '5;', 'completed', /^$/],
      ['await', 'import asyncio\nawait asyncio.sleep(0.01)\n"awaited"', 'completed', /^Out\[\d+\]: 'awaited'$/],
      ['Chinese and emoji', 'print("数据 😀")', 'completed', /^数据 😀$/],
      [
        'a class that can be pickled',
        'import pickle\nclass C: pass\ntype(pickle.loads(pickle.dumps(C()))).__name__',
        'completed',
        /'C'$/,
      ],
      ['sys.exit', 'import sys; sys.exit(3)', 'error', /SystemExit: 3/],
      ['a raised KeyboardInterrupt that nobody asked for', 'raise KeyboardInterrupt', 'error', /KeyboardInterrupt/],
      ['a syntax error', 'x = = 1', 'error', /SyntaxError/],
      ['an error after output', 'print("before"); 1/0', 'error', /^before\n[^]*ZeroDivisionError: division by zero$/],
      [
        'input',
        'print("asked"); input("name? ")',
        'error',
        /^asked\n[^]*(input is refused|frontend does not support input)/,
      ],
      ['a progress bar', 'for i in range(100): print(f"\\r{i}%", end="")', 'completed', /^99%$/],
      ['erase and up', 'print("one"); print("\\x1b[1A\\x1b[2Ktwo")', 'completed', /^two$/],
    ])('%s', async (_, code, status, text) => {
      const answer = await python.run(code);
      expect(header(answer)).toContain(` ${status}, `);
      expect(body(answer)).toMatch(text);
    });

    test('an error shows the line of the cell, under the cell’s number where it names one', async () => {
      const answer = await python.run('def f():\n    return 1/0\nf()');
      expect(answer).toContain('return 1/0');
      expect(await python.ask('python_execution_status')).toMatch(/^error: ZeroDivisionError: division by zero$/m);
    });

    test('each stream is read by itself', async () => {
      const number = numberOf(await python.run('import sys\nprint("out"); print("err", file=sys.stderr)\n42'));
      expect(await read({ execution: number, stream: 'stdout' })).toBe('out');
      expect(await read({ execution: number, stream: 'stderr' })).toBe('err');
      expect(await read({ execution: number, stream: 'result' })).toBe('42');
      expect(await read({ execution: number, stream: 'traceback' })).toBe('');
    });

    test('300 lines are whole, 301 are an excerpt that names the call for the rest', async () => {
      expect(header(await python.run('for i in range(300): print(i)'))).toContain('complete: yes');
      const answer = await python.run('for i in range(301): print("ERROR" if i == 150 else i)');
      expect(header(answer)).toContain('complete: no');
      expect(answer).toMatch(
        /\n\[\d+ lines left out: 41-241 of 301\]\n[^]*\n300\nthe rest: read_python_output \{"execution":\d+,"lines":"41-241"\}, or search_python_output /,
      );
      expect(answer).toContain('\n151 | ERROR\n');
      expect(body(await python.ask('read_python_output', { lines: '41-241' })).split('\n')).toHaveLength(201);
    });

    test('full output is asked for by an argument or by the cell, for that cell alone', async () => {
      const code = 'for i in range(301): print(i)';
      const whole = Array.from({ length: 301 }, (_, n) => n).join('\n');
      expect(body(await python.run(code, { full_output: true }))).toBe(whole);
      expect(body(await python.run(`# loommux: full_output\n${code}`))).toBe(whole);
      expect(body(await python.run(`# loommux: --full-output\n${code}`))).toBe(whole);
      expect(header(await python.run(code))).toContain('complete: no');
      const failed = await python.run(`# loommux: full_output\n${code}\n1/0`);
      expect(failed).toContain(`\n${whole}\n`);
      expect(failed).toContain('ZeroDivisionError');
    });

    test('full output that is longer than a part comes in several, none over the limit', async () => {
      const { content } = await python.call('run_python', {
        code: 'for i in range(3000): print("line", i)',
        full_output: true,
        timeout_seconds: 60,
      });
      expect(content.length).toBeGreaterThan(3);
      for (const { text = '' } of content) expect(text.length).toBeLessThanOrEqual(7_900);
      expect(content.map(({ text }) => text).join('')).toMatch(/\nline 2999$/);
    });

    test('a malformed directive runs nothing and takes no number', async () => {
      const before = numberOf(await python.run('1'));
      expect(await python.run('# loommux: --wait x\nleft_behind = 1')).toMatch(/^Error INVALID_DIRECTIVE /);
      const after = await python.run('"left_behind" in globals()');
      expect(numberOf(after)).toBe(before + 1);
      expect(after).toContain('False');
    });

    test('every line of a long output is found and read under its number', async () => {
      const number = numberOf(await python.run('for i in range(5000): print("step", i, "ok" if i % 1000 else "bad")'));
      const found = await python.ask('search_python_output', { execution: number, query: 'bad', context_before: 1 });
      expect(header(found)).toMatch(/, 5,000 lines \| 5 matches \(regex\) in 5 lines \| complete: yes$/);
      expect(body(found).split('\n')).toEqual([
        'M 1 | step 0 bad',
        ...[1000, 2000, 3000, 4000].flatMap((n) => [`C ${n} | step ${n - 1} ok`, `M ${n + 1} | step ${n} bad`]),
      ]);
      expect(await read({ execution: number, lines: '4001-4001' })).toBe('step 4000 bad');
      expect(await read({ execution: number, line_range: '-1:', show_line_numbers: true })).toBe('5000 | step 4999 ok');
    });

    test.each([
      ['a pattern', { query: 'a.c' }, '2 matches (regex) in 2 lines'],
      ['literally', { query: 'a.c', query_mode: 'literal' }, '1 match (literal) in 1 line'],
      ['what is no pattern', { query: 'a.c(' }, 'no match for literal "a.c("'],
      ['case', { query: 'ABC' }, 'no match for regex "ABC"'],
      ['any case', { query: 'ABC', ignore_case: true }, '1 match (regex) in 1 line'],
      ['as Python writes it', { query: '(?i)A(?P<x>B)C' }, '1 match (regex) in 1 line'],
      ['the empty text', { query: '', query_mode: 'literal' }, '2 matches (literal) in 2 lines'],
    ])('search: %s', async (_, args, words) => {
      await python.run('print("abc"); print("a.c")');
      expect(await python.ask('search_python_output', args)).toContain(words);
    });

    test('what cannot be right is refused with what to do', async () => {
      await python.run('print(1)');
      const refused = async (tool: string, args: object, words: string): Promise<void> => {
        const { content, isError } = await python.call(tool, args);
        expect(isError).toBe(true);
        expect(content[0]?.text).toContain(words);
      };
      await refused('read_python_output', { execution: 9_999 }, 'Error EXECUTION_NOT_FOUND');
      await refused('read_python_output', { execution: -1 }, 'Error EXECUTION_NOT_FOUND');
      await refused('read_python_output', { stream: 'log' }, 'stream: ');
      await refused('read_python_output', { lines: 'some' }, 'is no range');
      await refused('read_python_output', { max_chars: 0 }, 'max_chars: ');
      await refused('search_python_output', { query: 'a(', query_mode: 'regex' }, 'Error INVALID_QUERY');
      await refused('search_python_output', { query: 'a', context_before: -1 }, 'context_before: ');
      await refused('run_python', { code: 7, wait: 1 }, 'unknown "wait"');
      await refused('run_python', {}, 'code: required');
      await refused('wait_python', { timeout_seconds: 0 }, 'timeout_seconds: ');
      expect(await python.ask('interrupt_python')).toMatch(/^idle: /);
    });

    test('a wait that ends shows what is there, and the cell runs on', async () => {
      const code = 'print("partial", flush=True)\nimport time\ntime.sleep(2)\nprint("rest")';
      const answer = await python.run(code, { timeout_seconds: 0.5 });
      const number = numberOf(answer);
      expect(header(answer)).toMatch(/ running, \d+\.\d s, complete: no$/);
      const busy = await python.run('1 + 1');
      expect(busy).toMatch(/^Error KERNEL_BUSY /);
      expect(busy).toContain(`Execution ${number} has been running`);
      expect(await python.ask('python_status')).toContain(`kernel: busy\ncurrent: In [${number}]`);
      const [first, second] = await Promise.all([
        python.ask('wait_python'),
        python.ask('wait_python', { execution: number }),
      ]);
      for (const text of [first, second]) expect(text).toMatch(/ completed, [^]*partial\nrest$/);
      expect(numberOf(await python.run('1'))).toBe(number + 1);
    });

    test('the partial output of a running cell is read', async () => {
      await python.run('print("partial", flush=True)\nimport time\ntime.sleep(1.5)', { timeout_seconds: 0.1 });
      await until('the output', async () => (await read({})) === 'partial');
      await python.ask('wait_python');
    });

    const stops: [string, string, boolean][] = [
      ['a loop', 'while True: pass', true],
      ['a sleep', 'import time; time.sleep(60)', true],
      ['await', 'import asyncio; await asyncio.sleep(60)', !relayed],
      ['a loop after an await', 'import asyncio; await asyncio.sleep(0)\nwhile True: pass', !relayed],
      ['asyncio.run', 'import asyncio\nasyncio.run(asyncio.sleep(60))', processes && !relayed],
      ['a lock', 'import threading\nlock = threading.Lock(); lock.acquire(); lock.acquire()', processes],
      ['a process', 'import subprocess; subprocess.run(["sleep", "60"])', processes],
    ];
    test.each(stops.filter(([, , can]) => can))('an interrupt stops %s, and names stay', async (_, code) => {
      await python.run('still = "here"');
      const running = await python.run(`print("begun", flush=True)\n${code}`, { timeout_seconds: 0.3 });
      expect(header(running)).toContain(' running, ');
      // Between the call and the cell's first line there is nothing yet to stop.
      await until('the begin', async () => (await read({})).startsWith('begun'));
      expect(await python.ask('interrupt_python')).toMatch(/^interrupt_sent to In \[\d+\]/);
      expect(header(await python.ask('wait_python'))).toContain(' interrupted, ');
      expect(await python.run('still')).toContain("'here'");
    });

    test('an interrupt that the cell catches is no interruption', async () => {
      const code =
        'try:\n    print("begun", flush=True)\n    while True: pass\nexcept KeyboardInterrupt:\n    print("caught")';
      await python.run(code, { timeout_seconds: 0.3 });
      await until('the begin', async () => (await read({})).startsWith('begun'));
      await python.ask('interrupt_python');
      expect(await python.ask('wait_python')).toMatch(/ completed, [^]*caught$/);
    });

    test('a cancelled call ends the wait; the cell is stopped only where that was asked for', async () => {
      for (const interrupt of [false, true]) {
        const abort = new AbortController();
        const code = 'print("begun", flush=True)\nfor i in range(10**9): pass';
        const args = { code, timeout_seconds: 60, interrupt_on_cancel: interrupt };
        const call = python.call('run_python', args, { signal: abort.signal }).catch(() => 'cancelled');
        await until('the begin', async () => (await read({})) === 'begun');
        const number = numberOf(await python.ask('read_python_output'));
        abort.abort();
        expect(await call).toBe('cancelled');
        if (!interrupt) {
          expect(await python.ask('python_execution_status')).toMatch(/ running, /);
          await python.ask('interrupt_python');
        }
        expect(header(await python.ask('wait_python', { execution: number }))).toContain(' interrupted, ');
      }
    });

    test('a reset takes names away, and keeps numbers and outputs', async () => {
      const number = numberOf(await python.run('gone = 1; print("before the reset")'));
      expect(await python.ask('reset_python')).toMatch(/^restarted\nkernel: idle\n/);
      expect(await python.run('gone')).toContain('NameError');
      expect(await read({ execution: number })).toBe('before the reset');
      expect(numberOf(await python.run('1'))).toBe(number + 2);
    });

    test('a reset kills what runs, and its output stays', async () => {
      await python.run('print("begun", flush=True)\nwhile True: pass', { timeout_seconds: 0.3 });
      await until('the begin', async () => (await read({})) === 'begun');
      const waiting = python.ask('wait_python');
      await python.ask('reset_python');
      const answer = await waiting;
      expect(answer).toMatch(/^In \[\d+\] killed, [^]*begun\nkilled: the kernel was reset/);
      expect(await python.run('6 * 7')).toContain('42');
    });

    test('after a reload everything is read and found again, and numbers go on', async () => {
      const small = numberOf(await python.run('print("a needle in straw")'));
      const large = numberOf(await python.run('for i in range(20000): print("straw", i)'));
      await python.reload();
      expect(await read({ execution: small })).toBe('a needle in straw');
      expect(await read({ execution: large, lines: '19999-20000' })).toBe('straw 19998\nstraw 19999');
      expect(header(await python.ask('read_python_output', { lines: '1' }))).toContain(`In [${large}] `);
      expect(await python.ask('search_python_output', { query: 'straw 12345' })).toContain('M 12346 | straw 12345');
      const status = await python.ask('python_execution_status', { execution: small });
      expect(status).toMatch(/^In \[\d+\] completed, /);
      expect(numberOf(await python.run('1'))).toBe(large + 1);
      await until('the index', async () =>
        (await python.ask('ctx_search', { query: 'straw 12345' })).includes('straw 12345'),
      );
    });

    test('a display of several forms is kept, and read by its type', async () => {
      const code = `class Shown:
    def __repr__(self): return "plain form"
    def _repr_html_(self): return "<b>html form</b>"
Shown()`;
      const number = numberOf(await python.run(code));
      expect(await read({ execution: number })).toBe(`Out[${number}]: plain form`);
      const all = await read({ execution: number, stream: 'display' });
      expect(all).toMatch(/^display 1: .*text\/html.*\nplain form$/);
      expect(await read({ execution: number, stream: 'display', mime: 'text/html' })).toBe('<b>html form</b>');
    });

    test('images come as images: five, of two megabytes each at most; the others are named', async () => {
      const code = `import base64
class Picture:
    def __init__(self, size): self.size = size
    def __repr__(self): return "<Picture>"
    def _repr_png_(self): return b"\\x89PNG" + bytes(self.size)
for size in (10, 3_000_000, 20, 30, 40, 50, 60): display(Picture(size))`;
      const { content } = await python.call('run_python', { code, timeout_seconds: 60 });
      const images = content.filter(({ type }) => type === 'image');
      expect(images.map(({ data = '' }) => Buffer.from(data, 'base64').length)).toEqual([14, 24, 34, 44, 54]);
      expect(images[0]?.mimeType).toBe('image/png');
      const text = content.find(({ type }) => type === 'text')?.text ?? '';
      expect(text).toContain('display 2 (image/png, 3,000,004 bytes) is not shown: over 2,097,152 bytes');
      expect(text).toContain('display 7 (image/png, 64 bytes) is not shown: over 5 images');
      expect(text).toContain('<Picture>\n[display 1: image/png, 14 bytes]\n');
      const again = await python.call('read_python_output', { stream: 'display', mime: 'image/png' });
      expect(again.content.filter(({ type }) => type === 'image').length).toBeGreaterThanOrEqual(1);
    });

    test('a display that is updated says so at the end', async () => {
      const handle = `display("first", display_id="d")\ndisplay("last", display_id="d", update=True);`;
      expect(body(await python.run(handle))).toMatch(/'first'\n\[display 1, updated\] 'last'/);
    });

    test('raw output has its controls', async () => {
      const number = numberOf(await python.run('print("\\x1b[31mred\\x1b[0m\\rx")'));
      expect(await read({ execution: number, raw: true })).toBe('\x1b[31mred\x1b[0m\rx');
      expect(await read({ execution: number })).toBe('xed');
    });

    test('10,000 small flushed writes, and the last line', async () => {
      await python.run('for i in range(10000): print(i, flush=True)\nprint("hi")');
      expect(await read({ lines: '-2:' })).toBe('9999\nhi');
    });

    when(!relayed)('a lone surrogate stays', async () => {
      expect(body(await python.run('print("a\\ud83db")'))).toMatch(/^a.+b$/);
    });

    when(!relayed)('stdout and stderr alternate in exact order', async () => {
      await python.run('import sys\nfor i in range(5000): print("o", i); print("e", i, file=sys.stderr)');
      const lines: string[] = [];
      for (let cursor: string | undefined, more = true; more;) {
        const page = await python.ask('read_python_output', cursor === undefined ? {} : { cursor });
        lines.push(...body(page).split('\n'));
        cursor = /next cursor: (\S+)/.exec(header(page))?.[1];
        more = cursor !== undefined;
      }
      expect(lines).toEqual(Array.from({ length: 10_000 }, (_, n) => `${n % 2 ? 'e' : 'o'} ${n >> 1}`));
    });

    describe.runIf(processes)('with processes', () => {
      test.each([
        ['os._exit', 'import os; print("last", end=""); os._exit(3)', 'exit code 3'],
        ['a segmentation fault', 'import ctypes; ctypes.string_at(0)', 'signal SIGSEGV'],
        ['SIGKILL', 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)', 'signal SIGKILL'],
      ])('%s is told at once, with its cause, and the next cell runs', async (_, code, cause) => {
        const answer = await python.run(code);
        expect(header(answer)).toContain(' killed, ');
        expect(answer).toContain(`killed: ${cause}`);
        expect(await python.ask('python_status')).toContain(`it ended: ${cause}`);
        const next = await python.run('1 + 1');
        expect(next).toContain(`fresh kernel: the last one ended (${cause})`);
        expect(next).toMatch(/: 2$/);
      });

      test('what descriptors and children write stands where it was written', async () => {
        const code =
          'import os, subprocess\nprint("a")\nos.write(1, b"b\\n")\nsubprocess.run(["echo", "c"])\nprint("d")';
        const lines = body(await python.run(code))
          .split('\n')
          .slice(0, 4);
        expect(!relayed ? lines : lines.toSorted()).toEqual(['a', 'b', 'c', 'd']);
      });

      when(!relayed)('what goes to a descriptor stands between the prints around it, every time', async () => {
        const code = 'import os\nfor i in range(500): print("p", i); os.write(1 + i % 2, b"w\\n")';
        const answer = await python.run(code, { full_output: true });
        const expected = Array.from({ length: 500 }, (_, n) => `p ${n}\nw`).join('\n');
        expect(body(answer)).toBe(expected);
      });

      test('a byte that is no UTF-8 is shown', async () => {
        if (!relayed) expect(body(await python.run('import os; os.write(1, b"a\\xffb\\n");'))).toBe('a\\xffb');
      });

      when(!relayed)('what a thread prints after its cell’s end stays with its cell, marked as late', async () => {
        const code = `import threading, time
def late():
    while not released: time.sleep(0.01)
    print("late")
released = False
thread = threading.Thread(target=late); thread.start()
print("early")`;
        const number = numberOf(await python.run(code));
        const next = await python.run('released = True; thread.join(); print("next")');
        expect(body(next)).toBe('next');
        await until('the late line', async () => (await read({ execution: number })) === 'early\nlate');
        expect(await python.ask('python_execution_status', { execution: number })).toContain('late_output: true');
      });

      test('children are gone after an interrupt and a reset', async () => {
        const start = 'import subprocess; child = subprocess.Popen(["sleep", "600"])\nprint(child.pid)';
        const quiet = Number(body(await python.run(start)));
        expect(lives(quiet)).toBe(true);
        await python.run(`${start}\nimport sys; sys.stdout.flush()\nchild.wait()`, { timeout_seconds: 0.5 });
        await until('the child', async () => /^\d+$/.test(await read({})));
        const waited = Number(await read({}));
        await python.ask('interrupt_python');
        await python.ask('wait_python');
        await until('the end of the child that was waited for', () => !lives(waited));
        await python.ask('reset_python');
        await until('the end of the other child', () => !lives(quiet));
      });

      test('a forked child writes, and ends nothing', async () => {
        const code =
          'import os\npid = os.fork()\nif pid == 0:\n    print("child", flush=True); os._exit(0)\nos.waitpid(pid, 0)\nprint("parent")';
        if (!relayed) expect(body(await python.run(code))).toMatch(/^child\n(.*\n)*parent$/);
        expect(await python.run('1 + 1')).toContain(': 2');
      });

      test('os.wait() has no child that is ours', async () => {
        expect(await python.run('import os\nos.wait()')).toContain('ChildProcessError');
      });

      test('exit() completes, and the kernel is gone', async () => {
        expect(header(await python.run('exit()'))).toContain(' completed, ');
        await until('the end', async () => (await python.ask('python_status')).includes('kernel: not started'));
        expect(await python.run('1 + 1')).toContain(': 2');
      });
    });

    describe.runIf(magics)('with IPython', () => {
      test.each([
        ['a line magic', '%pwd', /Out\[\d+\]: '\//],
        ['a cell magic', '%%bash\necho from bash', /from bash/],
        ['a command', '!echo from a command', /from a command/],
        ['help', 'len?', /Return the number of items in a container/],
      ])('%s', async (_, code, text) => expect(body(await python.run(code))).toMatch(text));
    });
  });
};
