import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { workspaceFolders } from '../../../test/fixtures/workspaces.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders = workspaceFolders.map((name) => `${name}/src`);
const sources = folders.flatMap((folder) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

/** Names of kernel files, and calls of Node.js that ask the operating system for figures of the machine. */
const knowledge =
  /['"`]\/(proc|sys)\/|\b(availableParallelism|constrainedMemory|totalmem|loadavg|setPriority)\(|\bhrtime\b/;

it('nothing but this package reads files of the kernel or figures of the machine', () => {
  const knowing = sources.filter((file) => knowledge.test(readFileSync(`${root}${file}`, 'utf8')));
  expect(knowing.length).toBeGreaterThan(5);
  expect(knowing.filter((file) => !file.startsWith('packages/host/'))).toEqual([]);
});
