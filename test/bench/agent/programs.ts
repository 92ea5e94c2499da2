// What a competent agent would write to compute an answer: a line for a shell and the same in Python. Each is followed by
// the bench's own computation of the line to expect.
import type { Program } from './question.ts';

const best = <T>(all: readonly T[], size: (each: T) => number): T => {
  const [found] = all.toSorted((a, b) => size(b) - size(a));
  if (found === undefined) throw new Error('nothing to compare');
  return found;
};

export const slowest: Program = {
  command: String.raw`jq -r '[.testResults[].assertionResults[]] | sort_by(-.duration)[:3][] | "\(.duration | round) \(.fullName)"' vitest.json`,
  python: `import json
tests = [t for f in json.load(open('vitest.json'))['testResults'] for t in f['assertionResults']]
for t in sorted(tests, key=lambda t: -(t.get('duration') or 0))[:3]:
    print(round(t['duration']), t['fullName'])`,
  peek: false,
};

type Tests = { testResults: { assertionResults: { fullName: string; duration?: number }[] }[] };

export const slowestIn = ({ testResults }: Tests): string => {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const { fullName, duration = 0 } = best(tests, (test) => test.duration ?? 0);
  return `${Math.round(duration)} ${fullName}`;
};

export const largest: Program = {
  command: String.raw`jq -r '.inputs | to_entries | sort_by(-.value.bytes)[:5][] | "\(.value.bytes) \(.key)"' bundle.json`,
  python: `import json
inputs = json.load(open('bundle.json'))['inputs']
for path, about in sorted(inputs.items(), key=lambda item: -item[1]['bytes'])[:5]:
    print(about['bytes'], path)`,
  peek: false,
};

export const largestIn = ({ inputs }: { inputs: Record<string, { bytes: number }> }): string => {
  const [path, { bytes }] = best(Object.entries(inputs), ([, about]) => about.bytes);
  return `${bytes} ${path}`;
};

export const hottest: Program = {
  command: String.raw`jq -r '[.nodes[] | select(.callFrame.functionName | startswith("(") | not) | {f: "\(.callFrame.functionName) \(.callFrame.url)", h: .hitCount}] | group_by(.f) | map({f: .[0].f, h: (map(.h) | add)}) | sort_by(-.h)[:5][] | "\(.h) \(.f)"' format.cpuprofile`,
  python: `import json, collections
hits = collections.Counter()
for node in json.load(open('format.cpuprofile'))['nodes']:
    frame = node['callFrame']
    if not frame['functionName'].startswith('('):
        hits[frame['functionName'] + ' ' + frame['url']] += node['hitCount']
for name, count in hits.most_common(5):
    print(count, name)`,
  peek: false,
};

type Profile = { nodes: { callFrame: { functionName: string; url: string }; hitCount: number }[] };

export const hottestIn = ({ nodes }: Profile): string => {
  const hits = new Map<string, number>();
  for (const { callFrame, hitCount } of nodes) {
    // `(idle)` and the like are no functions.
    if (callFrame.functionName.startsWith('(')) continue;
    const name = `${callFrame.functionName} ${callFrame.url}`;
    hits.set(name, (hits.get(name) ?? 0) + hitCount);
  }
  const [name, count] = best([...hits], ([, each]) => each);
  return `${count} ${name}`;
};

export const reasons: Program = {
  command: `grep bailout v8.log | grep -o 'reason: [^)]*' | sort | uniq -c | sort -rn | head -5`,
  python: `import re, collections
found = collections.Counter(re.findall(r'bailout.*?(reason: [^)]*)', open('v8.log').read()))
for reason, count in found.most_common(5):
    print(count, reason)`,
  peek: true,
};

export const reasonsIn = (log: string): string => {
  const counts = Object.entries(Object.groupBy(log.match(/(?<=bailout.*?)reason: [^)]*/g) ?? [], (reason) => reason));
  const [reason, all = []] = best(counts, ([, each = []]) => each.length);
  return `${all.length} ${reason}`;
};
