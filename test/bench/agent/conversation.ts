import type { Agent } from '../../vscode/agent/agent.ts';
import { runCommand } from '#scripts/workbench.ts';
import { textOf, type Request } from '../../vscode/agent/model.ts';
import type { Place, Policy } from './policy.ts';
import type { Question } from './question.ts';
import { requestTokens, writtenTokens } from './tokens.ts';

export type Conversation = {
  /** Questions whose evidence stood in what the model received. */
  reached: boolean[];
  calls: number;
  /** The tools that were called. */
  tools: string[];
  /** All requests, for titles too. */
  requests: number;
  /** Tokens of all requests, each as it was sent. */
  input: number;
  /** Tokens that the model wrote. */
  output: number;
  /** Tokens of the last request, which repeats all of the conversation: what there is without the repetition. */
  once: number;
  /** Tokens of the tools and the system prompt in one request of the agent. */
  standing: number;
  /** VS Code's id of the conversation. */
  id: string | undefined;
};

/** VS Code tells it to the model in the path of a log. */
const idIn = ({ messages }: Request): string | undefined =>
  /debug-logs\/([0-9a-f-]{36})/.exec(messages.map(textOf).join('\n'))?.[1];

/** A terminal breaks its lines at its width. */
const stands = (line: string, result: string): boolean =>
  result.includes(line) || result.replaceAll(/\r?\n/g, '').includes(line);

/** One conversation of the agent by a policy: a new chat, its questions one after the other. */
export const converse = async (
  agent: Agent,
  policy: Policy,
  questions: readonly Question[],
  folder: string,
): Promise<{ conversation: Conversation; requests: readonly Request[] }> => {
  await agent.newChat();
  const begin = agent.requests.length;
  const received: string[] = [];
  const place: Place = { folder, received };
  const reached: boolean[] = [];
  let answer = '';
  for (const question of questions) {
    const { evidence, ...asked } = question;
    const answered = (): boolean => received.some((result) => evidence.some((line) => stands(line, result)));
    const steps = policy(asked, place);
    let known = 0;
    const turn = await agent.turn(question.text, (results) => {
      received.push(...results.slice(known));
      const last = results.at(-1) ?? '';
      known = results.length;
      if (answered()) return [];
      const { value, done } = steps.next(last);
      return done === true ? [] : [value];
    });
    answer = turn.answer;
    reached.push(answered());
  }
  const requests = agent.requests.slice(begin);
  return { conversation: measured(requests, reached, received.length, answer), requests };
};

const measured = (requests: readonly Request[], reached: boolean[], calls: number, answer: string): Conversation => {
  const parts = requests.map(requestTokens);
  const last = requests.findLast(({ tools = [] }) => tools.length > 0);
  if (last === undefined) throw new Error('the agent sent no request');
  const { standing, conversation } = requestTokens(last);
  return {
    reached,
    calls,
    tools: last.messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name)),
    requests: requests.length,
    input: parts.reduce((sum, { standing, conversation }) => sum + standing + conversation, 0),
    output: writtenTokens(last, answer),
    once: standing + conversation,
    standing,
    id: idIn(last),
  };
};

/** VS Code names open terminals in every prompt; the next conversation begins without them. */
export const closeTerminals = (agent: Agent): Promise<void> => runCommand(agent.page, 'Terminal: Kill All Terminals');
