/**
 * Writes the generated files of the repository: `npm run generate`. With `--check` it writes nothing; it prints the
 * stale files and exits with code 1. A new kind of generated file needs one more generator in the list.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deploymentProjects } from './generators/deployment-projects.ts';
import { errorPage } from './generators/error-page.ts';
import type { Generator } from './generators/generator.ts';
import { jsonSchemas } from './generators/json-schemas.ts';
import { schemaReference } from './generators/schema-reference.ts';

const generators: readonly Generator[] = [jsonSchemas, schemaReference, errorPage, deploymentProjects];

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const checkOnly = process.argv.includes('--check');

const files = (await Promise.all(generators.map((generate) => generate(root)))).flat();
const stale: string[] = [];
for (const { path, content } of files) {
  const target = join(root, path);
  const current = await readFile(target, 'utf8').catch(() => undefined);
  if (current === content) continue;
  stale.push(path);
  if (checkOnly) continue;
  if (content === undefined) await rm(target);
  else {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
}

if (checkOnly && stale.length > 0) {
  console.error(`stale: ${stale.join(', ')}\nrun: npm run generate`);
  process.exitCode = 1;
} else console.error(`${files.length} generated files, ${stale.length} ${checkOnly ? 'stale' : 'written'}`);
