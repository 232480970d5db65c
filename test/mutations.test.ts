/** The list of mutations agrees with the sources. The mutations themselves take ten minutes: `npm run mutations`. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { workspaceFolders } from './fixtures/workspaces.ts';

interface Mutations {
  file: string;
  tests: string[];
  changes: [title: string, text: string, replacement: string][];
}

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const list = (await import(at('.ci/mutations/list.mjs'))) as { mutations: Mutations[] };

/** Interfaces, and one search in a list. */
const withoutLogic = ['packages/trial'];

it('each package has a mutation', () => {
  const files = list.mutations.map(({ file }) => file);
  const without = workspaceFolders.filter((folder) => !files.some((file) => file.startsWith(`${folder}/src/`)));
  expect(without).toEqual(withoutLogic);
});

it('each text to change occurs once in its file, and each test exists', () => {
  const misplaced = list.mutations.flatMap(({ file, tests, changes }) => {
    const source = readFileSync(at(file), 'utf8');
    const titles = changes.filter(([, text]) => source.split(text).length !== 2).map(([title]) => `${file}: ${title}`);
    return [...titles, ...tests.filter((path) => !existsSync(at(path)))];
  });
  expect(misplaced).toEqual([]);
});
