// What Copilot's chat reads of Loom by itself: skill, prompt, agent.
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

/**
 * The skill's entry in the system prompt of every request (VS Code 1.139.1 was seen to write it so). A person's prompt file
 * and an agent that no model may start have none.
 */
export const skillEntry = (extension: string): string => {
  const { header, path } = chatFiles.skill;
  const file = `<file>${extension}/${path}</file>`;
  return [
    '<skill>',
    `<name>${header.name}</name>`,
    `<description>${header.description}</description>`,
    file,
    '</skill>',
    '',
  ].join('\n');
};
