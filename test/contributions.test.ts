import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingTable } from '#assemble.ts';
import { editorSettings, manifest } from '#vscode/contributions.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = globSync('{src/**/*,src/*}.ts', { cwd: root })
  // Where they are declared.
  .filter((file) => !/(\/room|contributions|Settings)\.ts$/.test(file))
  .map(read)
  .join('\n');

test.each(Object.keys(settingTable))('%s is read by code', (key) => {
  expect(sources).toMatch(key.includes('.') ? `'${key}'` : new RegExp(`\\b${key}\\b`));
});

test.each(editorSettings)('%s has a default that is valid, and words for each value', (_, setting) => {
  expect(setting.schema.safeParse(setting.default).success).toBe(true);
  const { schema } = setting;
  const offered = setting.enum ?? ('options' in schema ? (schema.options as unknown[]) : undefined);
  if (offered && setting.schema.type !== 'boolean') expect(setting.enumDescriptions).toHaveLength(offered.length);
});

test.each([
  ['core', true],
  ['kernel+core', true],
  ['core+drawer+ledger', true],
  ['CORE', true],
  ['core+all', false],
  ['cor', false],
  ['', false],
  [7, false],
])('loom.toolset %j is valid: %s', (value, valid) => {
  expect(settingTable['toolset']?.schema.safeParse(value).success).toBe(valid);
});

type Contributed = {
  commands: { command: string }[];
  menus: Record<string, { command?: string; submenu?: string }[]>;
  submenus: { id: string }[];
  walkthroughs: {
    steps: { id: string; description: string; media: { svg: string; altText: string }; completionEvents: string[] }[];
  }[];
};
const { contributes, words } = manifest();
const contributed = contributes as Contributed;

test('menus name what is contributed, and every submenu is shown somewhere', () => {
  const items = Object.values(contributed.menus).flat();
  const commands = contributed.commands.map(({ command }) => command);
  for (const { command } of items) if (command !== undefined) expect(commands).toContain(command);
  for (const { id } of contributed.submenus) {
    expect(items.some(({ submenu }) => submenu === id)).toBe(true);
    expect(contributed.menus[id]?.length).toBeGreaterThan(0);
  }
});

test('each step of the walkthrough has a picture in the theme’s colours, a button, and a way to be done', () => {
  const [walkthrough] = contributed.walkthroughs;
  expect(walkthrough?.steps.length).toBeGreaterThanOrEqual(5);
  for (const { description, media, completionEvents } of walkthrough?.steps ?? []) {
    expect(existsSync(join(root, media.svg)), media.svg).toBe(true);
    expect(read(media.svg)).toContain('var(--vscode-foreground');
    // VS Code shows it under a policy that takes no style but attributes like `fill`.
    expect(read(media.svg)).not.toMatch(/<style|\b(style|class)=/);
    expect(words[media.altText.slice(1, -1)]).toMatch(/\w/);
    const buttons = [...(words[description.slice(1, -1)] ?? '').matchAll(/\]\(command:([\w.]+)(?:\?[\w%.]+)?\)/g)];
    expect(buttons.length).toBeGreaterThan(0);
    expect(completionEvents.length).toBeGreaterThan(0);
  }
});
