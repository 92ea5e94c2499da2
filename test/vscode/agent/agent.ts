import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openPage } from '#scripts/browser.ts';
import type { Scope } from '#scripts/scope.ts';
import { startCode, type CodeOptions } from '#scripts/startCode.ts';
import { openWorkbench } from '#scripts/workbench.ts';
import { ask, newChat, openChat, type Confirmation } from './chat.ts';
import { enableCopilot, privateExtensions } from './copilot.ts';
import { resultsIn, startModel, textOf, type Policy, type Request, type Round } from './model.ts';

export type TurnDone = {
  /** The requests of the agent's loop, in order: the first with the prompt, one more for each round of calls. */
  requests: readonly Request[];
  /** What the model received for each call, in order. */
  results: readonly string[];
  confirmations: readonly Confirmation[];
  /** What the model said in the end. */
  answer: string;
};

export type Agent = {
  page: Page;
  /** Every request so far, also those for titles and summaries, which offer no tools. */
  requests: readonly Request[];
  /** One turn of Copilot's agent mode, with a model that makes these calls, round by round. */
  turn: (prompt: string, rounds: readonly Round[] | Policy) => Promise<TurnDone>;
  /** The next turn begins a new conversation. */
  newChat: () => Promise<void>;
};

/** Copilot's own agent mode in the workbench, with a scripted model in place of a real one. */
export const startAgent = async (scope: Scope, folder: string, options: CodeOptions = {}): Promise<Agent> => {
  const model = await startModel(scope);
  const builtinExtensions = await privateExtensions(scope);
  const code = await startCode(scope, { ...options, builtinExtensions, models: model.models });
  const page = await openPage(scope, { viewport: { width: 1400, height: 900 } });
  await enableCopilot(page);
  await openWorkbench(page, code, folder);
  await openChat(page, model.name);
  let turns = 0;
  return {
    page,
    requests: model.requests,
    newChat: () => newChat(page),
    turn: async (prompt, rounds) => {
      turns += 1;
      const [unique, answer] = [`${prompt} (turn ${turns})`, `The script of turn ${turns} is done.`];
      const before = model.requests.length;
      // Of a slash command VS Code sends what it stands for, and then the rest.
      const words = unique.replace(/^\/\w+ /, '');
      model.add({ prompt: words, rounds, answer });
      const confirmations = await ask(page, unique, answer);
      const asks = ({ tools = [], messages }: Request): boolean =>
        tools.length > 0 && messages.some((message) => textOf(message).includes(words));
      const requests = model.requests.slice(before).filter(asks);
      const messages = requests.at(-1)?.messages ?? [];
      const start = messages.findLastIndex((message) => message.role === 'user' && textOf(message).includes(words));
      return { requests, results: resultsIn(messages.slice(start)), confirmations, answer };
    },
  };
};

/** The document's id in an anchor. */
export const idIn = (anchor: string | undefined): string => {
  const id = /\bd\d+\b/.exec(anchor ?? '')?.[0];
  assert(id, `no id in ${anchor}`);
  return id;
};
