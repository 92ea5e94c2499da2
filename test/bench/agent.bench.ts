/*
 * Paired turns: what the same questions cost in Copilot's real agent loop without Loom and with it.
 *   npm run bench agent -- [--tasks N] [--only NAME,…] [--keep FOLDER] [--write]
 *
 * The agent loop, the tools and the prompts are Copilot's own, in the real VS Code; the model is scripted. Twenty
 * conversations over logs, JSON, test output, types and prose, 1 KB to 4 MB, made by really running things (agent/material.ts):
 * 10 lookups of one line, 4 sessions of three questions about one file, 4 aggregates, 2 about a file known to be short.
 *
 * Both policies go by the question's words and by what came back, and know neither the answer nor its line. Their model is a
 * perfect reader: it answers as soon as the evidence, the exact line, stands in what it received, and never before.
 *
 * Without Loom: grep_search in the named file for the names that the question gives (code, quotations); else, or if that
 *   fails, for any two neighbouring words, then any two words of a line, then any word. After each search, if the answer is
 *   not among the lines that grep shows, read_file around the best two promising hits (20 lines before, 79 after). At last
 *   the file in pages of 2,000 lines, three at the most. A question about the run as a whole begins with `tail -n 30` in the
 *   terminal.
 * With Loom, as its instructions say: ctx_store_file with all the words as its query, ctx_get around the best two promising
 *   hits (the same 100 lines), the same with ctx_search for the names alone or fewer words, its next page, at last three
 *   pages of ctx_get. A question about the run as a whole goes on with ctx_get of the last 30 lines. A later question about
 *   the same file begins with ctx_search.
 * Aggregates: one program, in the terminal (jq, grep, sort) without Loom, in run_python with it; where the file's form is not
 *   known by heart, after a look at it (head, or the anchor of ctx_store_file).
 * Short files (a licence, one module): read_file in both arms, as Loom's description says; Loom then only costs.
 * Naive, printed apart: read_file from the beginning, 2,000 lines a page, three pages at the most, and no more than 90,000
 *   tokens, since Copilot would compact the conversation then.
 *
 * Tokens are o200k_base by OpenAI's tokenizer, of every request as the model received it: the JSON of the tools, the text
 * of each message, name and arguments of each call; a request repeats what came before, and so does the sum. Output is what
 * the scripted model wrote: calls and a word or two. Prices are not considered: a provider that caches prompts charges less
 * for what repeats. The ledger's figures are what Loom itself says about the same conversation.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { grouped } from '#base/text.ts';
import { version } from '#base/version.ts';
import { onPath, run } from '#scripts/run.ts';
import { main } from '#scripts/scope.ts';
import { textOf, type Request } from '../vscode/agent/model.ts';
import { install, profileIn, root, standIn } from '../vscode/install.ts';
import { readLedger, runArms, type Results, type Watch } from './agent/arms.ts';
import { makeMaterial } from './agent/material.ts';
import { listingOf, pairTable, sumTable, table, verdict, type Pair } from './agent/report.ts';
import { tasksIn, type Task } from './agent/tasks.ts';
import { withLoom } from './agent/withLoom.ts';
import { naive, without } from './agent/without.ts';

const { values: options } = parseArgs({
  options: {
    tasks: { type: 'string' },
    only: { type: 'string' },
    /** Material, transcripts and results stay there, and a run that was broken off goes on. With the same build only. */
    keep: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

for (const program of ['jq', 'grep', 'sort'])
  if (onPath([program]) === undefined) throw new Error(`${program} is missing: the agent without Loom would use it`);

const clock = (): string => `${(performance.now() / 1000).toFixed(0)} s`;

const transcript = ({ tools = [], messages }: Request): string =>
  [
    `${tools.length} tools`,
    ...messages.map((message) => `## ${message.role} ${JSON.stringify(message.tool_calls ?? [])}\n${textOf(message)}`),
  ].join('\n');

/** Tells of each conversation and keeps what it came to. */
const keeper = (folder: string): { results: Results; watch: Watch } => {
  const file = join(folder, 'results.json');
  const results = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {};
  const watch: Watch = (arm, task, conversation, requests) => {
    const { reached, calls, input } = conversation;
    const found = reached.every(Boolean) ? 'found' : 'NOT FOUND';
    const figures = `${calls} calls, ${requests.length} requests, ${grouped(input)} tokens`;
    console.log(`  ${clock()}, ${arm}: ${task}: ${found}, ${figures}`);
    (results[arm] ??= {})[task] = conversation;
    writeFileSync(file, JSON.stringify(results));
    const last = requests.findLast(({ tools = [] }) => tools.length > 0);
    if (last) writeFileSync(join(folder, `${task}, ${arm}.txt`), transcript(last));
  };
  return { results, watch };
};

const writeReport = (text: string): void => {
  const folder = join(root, 'docs/bench');
  mkdirSync(folder, { recursive: true });
  const head = '# Paired turns: the agent without Loom and with it';
  const how =
    'Written by `npm run bench agent -- --write`; how it is measured stands at the top of `test/bench/agent.bench.ts`.';
  writeFileSync(join(folder, 'agent.md'), `${[head, how, text].join('\n\n')}\n`);
};

const naiveTable = (pairs: readonly Pair[], naively: Results[string]): string =>
  table(
    ['task', 'naive: found', 'calls', 'tokens', 'with Loom'],
    pairs.flatMap(({ task, withLoom: loom }) => {
      const arm = naively[task.name];
      if (arm === undefined) return [];
      const found = arm.reached.every(Boolean) ? 'yes' : 'no';
      return [[task.name, found, arm.calls, arm.input + arm.output, loom.input + loom.output]];
    }),
  );

const chosen = (tasks: readonly Task[]): Task[] =>
  tasks
    .filter(({ name }) => options.only === undefined || options.only.split(',').includes(name))
    .slice(0, options.tasks === undefined ? undefined : Number(options.tasks));

const report = (pairs: readonly Pair[], naively: Results[string]): string => {
  const standing = grouped(pairs[0]?.without.standing ?? 0);
  return [
    `Loom ${version()}, VS Code 1.139.1 with its Copilot, ${pairs.length} tasks, o200k_base. Every request carries ${standing} tokens of Copilot's own tools and system prompt, and ${grouped(Math.round(listingOf(pairs)))} more where Loom is installed.`,
    sumTable(pairs),
    verdict(pairs),
    pairTable(pairs),
    'A naive agent, which reads the file from its beginning:',
    naiveTable(pairs, naively),
  ].join('\n\n');
};

await main(async (scope) => {
  const keep = options.keep ?? scope.folder('paired');
  const folder = join(keep, 'material');
  if (!existsSync(folder)) {
    const part = `${folder}.part`;
    rmSync(part, { recursive: true, force: true });
    makeMaterial(scope, part);
    renameSync(part, folder);
  }
  const tasks = chosen(tasksIn(folder));
  const { results, watch } = keeper(keep);
  const left = (arm: string, of = tasks): Task[] => of.filter(({ name }) => results[arm]?.[name] === undefined);
  const lookups = tasks.filter(({ kind }) => kind === 'lookup');
  await runArms(
    [
      { name: 'without', policy: without, tasks: left('without') },
      { name: 'naive', policy: naive, tasks: left('naive', lookups) },
    ],
    folder,
    {},
    watch,
  );
  const profile = profileIn(join(keep, 'profile'));
  const loom = left('with Loom');
  if (loom.length > 0) {
    await run('npm', ['run', '-s', 'package'], { scope, cwd: root });
    await install(scope, standIn, profile);
  }
  await runArms([{ name: 'with Loom', policy: withLoom, tasks: loom }], folder, profile, watch);
  const ledger = await readLedger(profile, results['with Loom'] ?? {});
  const pairs = tasks.map((task): Pair => {
    const [a, b] = [results.without?.[task.name], results['with Loom']?.[task.name]];
    if (a === undefined || b === undefined) throw new Error(`${task.name} was not run by both arms`);
    const { size } = statSync(join(folder, task.questions[0]?.file ?? ''));
    return { task, size, without: a, withLoom: b, ledger: ledger.get(task.name) };
  });
  const text = report(pairs, results.naive ?? {});
  console.log(`\n${text}`);
  if (options.write) writeReport(text);
  return 0;
});
