// The outline of a program: its functions, classes and types.
import { extname } from 'node:path';
import { counted } from '#base/text.ts';
import type { Lines } from '#text/lines.ts';
import { short, type Entry, type Outline } from './outline.ts';

const modifiers =
  '(?:(?:export|default|declare|abstract|async|static|public|private|protected|internal|final|override|sealed|partial|open|pub(?:\\(\\w+\\))?|unsafe|extern|const|inline|virtual|data) +)*';

/** Lines that open something with a name, by family of language. */
const families: { extensions: string; symbol: RegExp }[] = [
  {
    extensions: '.ts .tsx .mts .cts .js .jsx .mjs .cjs .vue .svelte',
    symbol: new RegExp(
      `^\\s*${modifiers}(?:(?:function\\*?|class|interface|type|enum|namespace)\\s+[\\w$]+|(?:const|let|var)\\s+[\\w$]+\\s*(?::[^=]+)?=\\s*(?:async\\s*)?(?:function|\\(|[\\w$]+\\s*=>|class))`,
    ),
  },
  { extensions: '.py .pyi', symbol: /^\s*(?:async\s+def|def|class)\s+\w+/ },
  { extensions: '.go', symbol: /^(?:func\s|type\s+\w+|const\s+\w+\s|var\s+\w+\s)/ },
  {
    extensions: '.rs',
    symbol: new RegExp(`^\\s*${modifiers}(?:fn|struct|enum|trait|impl|mod|type|macro_rules!|union)\\b`),
  },
  {
    extensions: '.java .kt .kts .scala .cs .swift .dart .php',
    symbol: new RegExp(
      `^\\s*(?:@\\w+\\s+)?${modifiers}(?:(?:class|interface|enum|record|object|trait|struct|protocol|extension|namespace|fun|func|def|function)\\s+[\\w.<>$]+|[\\w<>\\[\\],.? ]+\\s\\w+\\s*\\([^;{}]*\\)\\s*(?:throws [\\w, .]+)?\\{)`,
    ),
  },
  {
    extensions: '.c .h .cc .cpp .cxx .hpp .zig',
    symbol:
      /^(?:(?:static|inline|extern|const|virtual|unsigned|template\s*<[^>]*>)\s+)*(?:(?:class|struct|enum|union|namespace)\s+\w+[^;]*$|#define\s+\w+|typedef\s|[A-Za-z_][\w:<>,*& ]*\s[*&]*[\w:~]+\s*\([^;]*$)/,
  },
  {
    extensions: '.rb .lua .ex .exs',
    symbol: /^\s*(?:(?:local\s+)?function\s+[\w.:]+|defp?\s+\S|class\s+\w|module\s+\w|defmodule\s+\S)/,
  },
  { extensions: '.sh .bash .zsh .ps1', symbol: /^\s*(?:function\s+[\w-]+|[\w-]+\s*\(\)\s*\{)/i },
  {
    extensions: '.sql',
    symbol: /^\s*create\s+(?:or\s+replace\s+)?(?:\w+\s+)?(?:table|view|index|function|procedure|trigger|type)\s/i,
  },
];

/** Where the name says no language: what opens something in most of them. */
const anySymbol = new RegExp(
  `^\\s*${modifiers}(?:function\\*?|class|interface|struct|enum|trait|impl|fn|func|def|module|namespace)\\s+[\\w$]+`,
);
/** Words that look like a call's or a method's opening and are none. */
const noSymbol = /^\s*(?:if|for|while|switch|catch|return|else|do|try|new|throw|await|yield|case)\b/;

const symbolOf = (name: string): RegExp => {
  const extension = extname(name).toLowerCase();
  return families.find(({ extensions }) => extensions.split(' ').includes(extension))?.symbol ?? anySymbol;
};

const leadingModifiers = new RegExp(`^\\s*${modifiers}`);

/** `export const step = async (input: number): Promise<number> => {` as `step(input: number)`. */
const compact = (line: string): string =>
  short(
    line
      .replace(leadingModifiers, '')
      .replace(/^(?:(?:let|var)\s+)?([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\*?\s*)?(?=\()/, '$1')
      .replace(/^function\*?\s+/, '')
      .replace(/\s*(?:=>|=)?\s*[{(:]?\s*$/, '')
      .replace(/\)\s*(?::|->)[^()]*$/, ')'),
    70,
  );

/** Functions, classes and types with their lines; the deeper indented are left out first. */
export function* outlineCode(lines: Lines, name: string): Generator<void, Outline> {
  const symbol = symbolOf(name);
  const entries: Entry[] = [];
  for (let index = 0; index < lines.count; index++) {
    if (index % 1024 === 1023) yield;
    const line = lines.text(index, 300);
    if (noSymbol.test(line) || !symbol.test(line)) continue;
    const indent = /^\s*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
    entries.push({ line: index + 1, text: compact(line), rank: Math.min(12, indent) });
  }
  return { title: counted(entries.length, 'symbol'), entries };
}
