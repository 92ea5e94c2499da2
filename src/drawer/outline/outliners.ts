// How each kind of content shows its shape.
import { outlineBinary } from './binary.ts';
import { outlineCode } from './code.ts';
import { outlineCsv } from './csv.ts';
import { outlineDiff } from './diff.ts';
import { outlineHtml } from './html.ts';
import { outlineJson } from './json.ts';
import { outlineLog } from './log.ts';
import { outlineMarkdown } from './markdown.ts';
import type { Outliner } from './outline.ts';
import { outlinePlain } from './plain.ts';
import { outlineYaml } from './yaml.ts';

export const outliners = {
  binary: outlineBinary,
  code: outlineCode,
  csv: outlineCsv,
  diff: outlineDiff,
  html: outlineHtml,
  json: outlineJson,
  log: outlineLog,
  markdown: outlineMarkdown,
  ndjson: outlineJson,
  plain: outlinePlain,
  yaml: outlineYaml,
} satisfies Record<string, Outliner>;
