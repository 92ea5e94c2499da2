/**
 * The files that Copilot's chat reads by itself, with the header of each: `scripts/gen.ts` writes the headers into the files,
 * and what the model is shown of a file stands nowhere else. The text below a header is the file's own.
 */
export const chatFiles = {
  skill: {
    point: 'chatSkills',
    path: 'media/agent/loom-bulk/SKILL.md',
    header: {
      name: 'loom-bulk',
      description:
        'How to work with large logs, test output, JSON and long Python runs through Loom, and after a compaction.',
      'user-invocable': false,
    },
  },
  prompt: {
    point: 'chatPromptFiles',
    path: 'media/agent/loom.prompt.md',
    header: {
      name: 'loom',
      description: 'Store files or output in the drawer and answer from them',
      agent: 'agent',
      'argument-hint': 'files, and what you want to know',
    },
  },
  agent: {
    point: 'chatAgents',
    path: 'media/agent/loom.agent.md',
    header: {
      name: 'Loom',
      description: 'A lean agent: read, search, edit, terminal and Loom',
      'disable-model-invocation': true,
      tools: [
        'read/readFile',
        'read/problems',
        'search/fileSearch',
        'search/listDirectory',
        'search/textSearch',
        'edit/createFile',
        'edit/editFiles',
        'execute/runInTerminal',
        'execute/getTerminalOutput',
        'execute/killTerminal',
        'loom/*',
      ],
    },
  },
} as const;
