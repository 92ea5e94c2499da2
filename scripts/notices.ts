// The licences of what is shipped and is not ours: `npm run build` writes them to dist/THIRD_PARTY_NOTICES.txt, and ends with an
// error where a package has none, or one that Loom may not be shipped with.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package that is shipped, or a part of one with a licence of its own. */
export type Shipped = { name: string; version: string; license: string; source: string; texts: string[] };

/** As SPDX names them; all may be shipped with a program under MIT. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'PSF-2.0',
  'Public domain',
  'Unlicense',
]);

/** Whose a package is that brings no text of its licence: a line before the licence's own words, and where that was read. */
const holders: readonly { packages: RegExp; line: string }[] = [
  // LICENSE of github.com/microsoft/fast.
  { packages: /^@microsoft\/fast-/, line: 'Copyright (c) Microsoft Corporation. All rights reserved.' },
  // Its package names nobody: LICENSE of github.com/openai/tiktoken, of which it is a port.
  { packages: /^js-tiktoken$/, line: 'Copyright (c) OpenAI, Shantanu Jain' },
  { packages: /^pyodide$/, line: 'Copyright (c) Pyodide contributors and Mozilla' },
];

/** What is shipped inside of a package, under a licence of its own. */
const inside: Readonly<Record<string, readonly Omit<Shipped, 'version'>[]>> = {
  pyodide: [
    {
      name: 'Python, its standard library and the interpreter in pyodide.asm.wasm',
      license: 'PSF-2.0',
      source: 'https://www.python.org/downloads/source/',
      texts: ['licenses/Python.txt'],
    },
  ],
  'sql.js': [
    {
      name: 'SQLite, in sql-wasm.wasm',
      license: 'Public domain',
      source: 'https://www.sqlite.org/copyright.html',
      texts: [],
    },
  ],
};

/** The name of the package that a bundle's input lies in; undefined where it is ours. */
export const packageOf = (input: string): string | undefined =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input.replaceAll('\\', '/'))?.[1];

type Manifest = { name: string; version: string; license?: string; repository?: string | { url?: string } };

const sourceOf = ({ name, repository }: Manifest): string => {
  const url = typeof repository === 'string' ? repository : repository?.url;
  const plain = url?.replace(/^git\+/, '').replace(/^(?:github:)?([\w.-]+\/[\w.-]+)$/, 'https://github.com/$1');
  return plain ?? `https://www.npmjs.com/package/${name}`;
};

const isLicence = (file: string): boolean => /^(?:licen[cs]e|copying|notice)/i.test(file);

const read = (file: string): string => readFileSync(file, 'utf8').trim();

const textsOf = (name: string, license: string, root: string): string[] => {
  const folder = join(root, 'node_modules', name);
  const files = readdirSync(folder).filter(isLicence).toSorted();
  if (files.length > 0) return files.map((file) => read(join(folder, file)));
  const holder = holders.find(({ packages }) => packages.test(name));
  return holder === undefined ? [] : [`${holder.line}\n\n${read(join(root, `licenses/${license}.txt`))}`];
};

/** What is shipped of the packages whose inputs the bundles have, and of those of which files lie beside the bundles. */
export const shippedOf = (inputs: Iterable<string>, copied: readonly string[], root: string): Shipped[] => {
  const names = new Set([...Array.from(inputs, packageOf).filter((name) => name !== undefined), ...copied]);
  return Array.from(names)
    .toSorted()
    .flatMap((name) => {
      const manifest = JSON.parse(read(join(root, 'node_modules', name, 'package.json'))) as Manifest;
      const { version, license = '' } = manifest;
      const parts = (inside[name] ?? []).map(({ texts, ...part }) => ({
        ...part,
        version: `as in ${name} ${version}`,
        texts: texts.map((file) => read(join(root, file))),
      }));
      return [{ name, version, license, source: sourceOf(manifest), texts: textsOf(name, license, root) }, ...parts];
    });
};

/** What keeps these from being shipped, in words. */
export const faultsOf = (shipped: readonly Shipped[]): string[] =>
  shipped.flatMap(({ name, license, texts }) => {
    if (
      !license
        .replaceAll(/[()]/g, '')
        .split(' OR ')
        .some((one) => allowed.has(one))
    )
      return [`${name} is under "${license}", which Loom is not shipped with: leave it out, or see whether it may be`];
    return texts.length === 0 && license !== 'Public domain'
      ? [`${name} brings no text of its licence (${license})`]
      : [];
  });

const rule = '='.repeat(80);

export const noticesOf = (shipped: readonly Shipped[]): string =>
  [
    'Loom is shipped with the following software of others. Each part stands with its licence and where its source is.',
    ...shipped.map(({ name, version, license, source, texts }) =>
      [
        rule,
        `${name} ${version}`,
        `Licence: ${license}`,
        `Source: ${source}`,
        ...texts.map((text) => `\n${text}`),
      ].join('\n'),
    ),
    '',
  ].join('\n\n');

/** The whole file; throws where something may not be shipped. */
export const makeNotices = (inputs: Iterable<string>, copied: readonly string[], root: string): string => {
  const shipped = shippedOf(inputs, copied, root);
  const faults = faultsOf(shipped);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return noticesOf(shipped);
};
