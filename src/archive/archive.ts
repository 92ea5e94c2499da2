// Results of other tools on their way into the drawer.
import { z } from 'zod';
import { asLoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { counted, encodeText, grouped } from '#base/text.ts';
import type { Services } from '#base/room.ts';
import type { SavedOutput } from './savedOutput.ts';

/** The fewest characters of a result that is kept. Copilot itself hides an MCP result of more than 8,192 in a file. */
export const defaultThreshold = 8_000;

/** What VS Code 1.139 was seen to hand to a hook; other events carry other fields. */
const eventSchema = z.object({
  hook_event_name: z.string(),
  timestamp: z.iso.datetime(),
  /** The conversation: what a call's `_meta` names `vscode.conversationId`. */
  session_id: z.string(),
  tool_name: z.string().default(''),
  tool_input: z.unknown().optional(),
  /** The text that the tool answered with, whole: before Copilot hides a long one in a file. */
  tool_response: z.string().default(''),
});
type HookEvent = z.output<typeof eventSchema>;

export type ArchiveOptions = {
  drawer: Pick<Services['drawer'], 'store'>;
  log: Log;
  enabled: () => boolean;
  /** The fewest characters of a result that is kept. */
  threshold: () => number;
  /** The drawer's session that results are kept in. */
  session: () => Promise<string>;
  /** The whole output that VS Code saved at a path. */
  savedOutput: SavedOutput;
};

export type Archive = {
  /** Takes what a hook sent; what the hook is to print, if anything. Answers at once: what is kept is stored later. */
  take: (sent: unknown) => unknown;
  /** Settles when everything taken so far is stored. */
  idle: () => Promise<void>;
};

/** The names under which VS Code lists Loom's own tools. */
const ownPrefix = 'mcp_loom_';
const terminalTools = new Set(['run_in_terminal', 'get_terminal_output', 'create_and_run_task', 'get_task_output']);

/** Never Loom's own answers: they stand in the drawer already, and would be kept again at each reading. */
const isKept = (tool: string): boolean =>
  terminalTools.has(tool) || (tool.startsWith('mcp_') && !tool.startsWith(ownPrefix));

/** How VS Code 1.139 begins a terminal's output of more than 20,000 characters, which it cuts and saves to a file. */
const cutOutput = /^\[Output too large \(\d+KB\)\. Full output saved to: ([^\r\n\]]+)\]/;

/** Most characters that wait to be stored; what comes on top of it is not kept, and the log says so. */
const mostWaiting = 16 * 2 ** 20;

const titleOf = ({ tool_name: tool, tool_input: input }: HookEvent): string => {
  const command = (input as { command?: unknown } | undefined)?.command;
  return `${tool}: ${typeof command === 'string' ? command : JSON.stringify(input ?? {})}`;
};

/**
 * Results that the agent has seen, kept for the time after a compaction: the summary that a conversation shrinks to holds
 * none of them. They were in the prompt, so the bill says nothing of them.
 */
export const createArchive = ({ drawer, log, enabled, threshold, session, savedOutput }: ArchiveOptions): Archive => {
  const kept = new Set<string>();
  /** When a conversation was compacted, until its agent has been told. */
  const compacted = new Map<string, string>();
  let waiting = 0;
  let storing = Promise.resolve();

  const wholeText = async ({ tool_name: tool, tool_response: text }: HookEvent): Promise<string> => {
    const saved = cutOutput.exec(text)?.[1];
    if (saved === undefined || !terminalTools.has(tool)) return text;
    return savedOutput(saved).catch((error: unknown) => {
      log.warn(`a terminal's whole output was not read, its excerpt is kept: ${asLoomError(error).message}`);
      return text;
    });
  };

  const store = async (event: HookEvent): Promise<void> => {
    const { tool_name: tool, session_id: conversation } = event;
    const source = { kind: 'archive' as const, tool, conversation };
    const bytes = encodeText(await wholeText(event));
    await drawer.store({ session: await session(), bytes, title: titleOf(event), source, always: true });
    kept.add(conversation);
  };

  const keep = (event: HookEvent): void => {
    const size = event.tool_response.length;
    if (!isKept(event.tool_name) || size < threshold()) return;
    if (waiting + size > mostWaiting)
      return log.warn(`a result of ${counted(size, 'character')} was not archived: too much waits`);
    waiting += size;
    storing = storing
      .then(() => store(event))
      .catch((error: unknown) => log.warn(`a result was not archived: ${asLoomError(error).message}`))
      .finally(() => (waiting -= size));
  };

  /** A line for the agent, once after a compaction; not with a call that ended before it, whose result it may have taken. */
  const reminder = ({ hook_event_name: hookEventName, session_id: conversation, timestamp }: HookEvent): unknown => {
    const at = compacted.get(conversation);
    if (at === undefined || timestamp <= at || !kept.has(conversation)) return undefined;
    compacted.delete(conversation);
    const additionalContext =
      `This conversation was compacted. Earlier terminal and MCP results of over ${grouped(threshold())} characters are in ` +
      "Loom's drawer: ctx_search finds them and ctx_get returns them exactly.";
    return { hookSpecificOutput: { hookEventName, additionalContext } };
  };

  const take = (sent: unknown): unknown => {
    if (!enabled()) return undefined;
    const event = eventSchema.parse(sent);
    if (event.hook_event_name === 'PostToolUse') keep(event);
    else if (event.hook_event_name === 'PreCompact') compacted.set(event.session_id, event.timestamp);
    return event.hook_event_name === 'PreCompact' ? undefined : reminder(event);
  };
  return { take, idle: () => storing };
};
