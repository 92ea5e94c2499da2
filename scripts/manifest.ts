import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Manifest = { contributes?: { views?: Record<string, { id: string; name: string }[]> } };

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** The title of the command that shows the view `id` of the extension in `folder`: VS Code makes one for each view. */
export const focusTitle = (folder: string, id: string): string => {
  const views = Object.values(read<Manifest>(join(folder, 'package.json')).contributes?.views ?? {}).flat();
  const view = views.find((candidate) => candidate.id === id);
  if (!view) throw new Error(`no view ${id}; there is ${views.map((other) => other.id).join(', ') || 'none'}`);
  const nls = join(folder, 'package.nls.json');
  const words = existsSync(nls) ? read<Record<string, string>>(nls) : {};
  const name = view.name.replace(/^%(.+)%$/, (whole, key: string) => words[key] ?? whole);
  return `Focus on ${name} View`;
};
