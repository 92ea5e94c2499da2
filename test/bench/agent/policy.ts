import type { ToolCall } from '../../vscode/agent/model.ts';
import type { Asked } from './question.ts';

/** What an agent knows besides the question. */
export type Place = {
  /** The workspace's absolute path. */
  folder: string;
  /** Every result that it received in this conversation so far. */
  received: readonly string[];
};

/**
 * What an agent does about a question: yields its next call and is given what came of it. It sees the question's words and
 * results, never the evidence; it is not asked again once the evidence stands in what the model received.
 */
export type Policy = (asked: Asked, place: Place) => Generator<ToolCall, void, string>;

/** Lines that are read around a hit: Copilot's instructions ask for large sections. */
export const around = (line: number): [first: number, last: number] => [Math.max(1, line - 20), line + 79];

/** A file is read in so many pages at the most; then the agent gives up. */
export const mostPages = 3;

/** Lines that are read at the end of a log. */
export const tailLines = 30;
