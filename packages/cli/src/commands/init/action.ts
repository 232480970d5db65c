/** The work of `init`: write the templates, and print the commands to try next. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { cannotWrite, TopoBenchError } from '@topo-bench/core';
import { makeFolder } from '@topo-bench/results';
import { printJson, printLine } from '../../output.ts';
import { schemaFolder } from '../../shipped-files.ts';
import type { InitFlags } from './options.ts';
import { installCommand, isInstalledFor, packageManifest, questions, scripts } from './package-manifest.ts';
import { shellWord } from './shell-word.ts';
import { experimentTemplate } from './templates/experiment.ts';
import { rulesTemplate } from './templates/rules.ts';
import { topologyTemplate } from './templates/topology.ts';

const templates = { topology: topologyTemplate, rules: rulesTemplate, experiment: experimentTemplate };
const manifestName = 'package.json';

export async function action(folder: string, { force = false, json }: InitFlags): Promise<void> {
  const hasManifest = existsSync(join(folder, manifestName));
  const files = Object.entries(templates).map(([kind, text]) => [`${kind}.yaml`, schemaLine(folder, kind) + text]);
  // A project that exists keeps its own manifest, also with --force: it holds more than ours.
  if (!hasManifest) files.push([manifestName, packageManifest(folder)]);
  const written = new Map(files.map(([name, text]) => [join(resolve(folder), name as string), text as string]));
  const paths = [...written.keys()];
  try {
    await makeFolder(resolve(folder));
    if (!force) requireAbsent(paths);
    for (const [path, text] of written) await writeFile(path, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const isPresent = error instanceof TopoBenchError && error.code === 'TB_FILE_EXISTS';
    throw isPresent ? error : cannotWrite((error as NodeJS.ErrnoException).path ?? folder, error);
  }
  if (json) printJson({ files: paths });
  else printNextSteps(folder, paths, hasManifest);
}

/** Comment by which editors find the schema of the file; empty without schemas. */
function schemaLine(folder: string, kind: string): string {
  const schemas = schemaFolder();
  if (!schemas) return '';
  const path = relative(resolve(folder), join(schemas, `${kind}.schema.json`)).replaceAll(sep, '/');
  return `# yaml-language-server: $schema=${path.startsWith('.') ? path : `./${path}`}\n`;
}

function requireAbsent(paths: readonly string[]): void {
  const present = paths.filter((path) => existsSync(path));
  if (present.length === 0) return;
  const names = present.map((path) => relative('.', path)).join(', ');
  throw new TopoBenchError('TB_FILE_EXISTS', `init does not overwrite files: got ${names}`, {
    hint: 'choose another folder, or add --force',
  });
}

/** The commands work in a shell as they are printed, one after the other. */
function printNextSteps(folder: string, paths: readonly string[], hasManifest: boolean): void {
  for (const path of paths) printLine(`wrote ${relative('.', path)}`);
  if (hasManifest) printLine(`kept ${join(folder, manifestName)}`);
  printLine();
  printLine('next:');
  const place = relative('.', resolve(folder));
  if (place !== '') printLine(`  cd ${shellWord(place)}`);
  const needsInstall = !isInstalledFor(folder);
  if (needsInstall && !hasManifest) printLine(`  ${installCommand()}`);
  if (hasManifest) {
    for (const { command } of Object.values(scripts))
      printLine(`  ${command.replaceAll('topo-bench ', 'npx topo-bench ')}`);
  } else {
    for (const [name, { brings }] of Object.entries(scripts)) printLine(`  npm run ${name.padEnd(7)} # ${brings}`);
    printLine('  npx topo-bench run experiment.yaml --dry-run   # what an edited experiment costs');
  }
  printLine('questions, each answered in less than five minutes:');
  for (const [name, question] of Object.entries(questions)) {
    printLine(`  npx topo-bench run ${name.padEnd(12)} # ${question}`);
  }
}
