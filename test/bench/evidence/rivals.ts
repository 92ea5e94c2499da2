import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Fact } from './facts.ts';

/** What another tool answers to some questions about one document. */
export type Rival = {
  name: string;
  answers: (
    text: string,
    extension: string,
    questions: readonly string[],
  ) => Promise<{ call: string; answer: string }[]>;
  close: () => Promise<void>;
};

const scratch = (): string => mkdtempSync(join(tmpdir(), 'loom-evidence-'));

/** One `grep` for the longest word of the question, the first lines of what it prints. */
export const grep = (): Rival | undefined => {
  if (spawnSync('grep', ['--version']).status !== 0) return undefined;
  const folder = scratch();
  return {
    name: 'grep',
    answers: (text, extension, questions) => {
      const file = `document.${extension}`;
      writeFileSync(join(folder, file), text);
      const ask = (question: string): { call: string; answer: string } => {
        const [word = ''] = question.split(' ').toSorted((a, b) => b.length - a.length);
        const args = ['-n', '-i', '-m', '8', '-F', word, file];
        return { call: `grep ${args.join(' ')}`, answer: spawnSync('grep', args, { cwd: folder }).stdout.toString() };
      };
      return Promise.resolve(questions.map(ask));
    },
    close: () => Promise.resolve(rmSync(folder, { recursive: true })),
  };
};

const textOf = (result: unknown): string =>
  (result as { content: { text?: string }[] }).content.map(({ text = '' }) => text).join('\n');

/**
 * context-mode, where `folder` holds an installed one: a document is indexed, all questions are asked in one call, each
 * with its usual number of results. A program of its own for each document, since it slows down whoever calls it often.
 */
export const contextMode = (folder: string): Rival => {
  const home = scratch();
  const program = join(folder, 'node_modules/context-mode/start.mjs');
  const env = { ...(process.env as Record<string, string>), HOME: home };
  let documents = 0;
  return {
    name: 'context-mode',
    answers: async (text, extension, questions) => {
      const client = new Client({ name: 'evidence', version: '1' });
      const started = { command: process.execPath, args: [program], cwd: home, env, stderr: 'ignore' as const };
      await client.connect(new StdioClientTransport(started) as Parameters<Client['connect']>[0]);
      const call = async (name: string, given: Record<string, unknown>): Promise<string> =>
        textOf(await client.callTool({ name, arguments: given }, undefined, { timeout: 600_000 }));
      const source = `document${++documents}`;
      const path = join(home, `${source}.${extension}`);
      writeFileSync(path, text);
      await call('ctx_index', { path, source });
      const said = await call('ctx_search', { queries: questions, source });
      await client.close();
      return questions.map((question, i) => {
        const start = said.indexOf(`## ${question}`);
        const next = questions[i + 1];
        const end = next === undefined ? -1 : said.indexOf(`## ${next}`, start);
        const answer = start < 0 ? '' : said.slice(start, end < 0 ? undefined : end);
        return { call: JSON.stringify({ queries: [question], source }), answer };
      });
    },
    close: () => Promise.resolve(rmSync(home, { recursive: true, force: true })),
  };
};

export const isAnswered = (answer: string, { answer: wanted }: Fact): boolean => answer.includes(wanted);
