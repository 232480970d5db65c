/** The work of `init`: write the templates, and print the commands to try next. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import { makeFolder } from '@topo-bench/results';
import { printJson, printLine } from '../../output.ts';
import type { InitFlags } from './options.ts';
import { experimentTemplate } from './templates/experiment.ts';
import { rulesTemplate } from './templates/rules.ts';
import { topologyTemplate } from './templates/topology.ts';

const templates: Record<string, string> = {
  'topology.yaml': topologyTemplate,
  'rules.yaml': rulesTemplate,
  'experiment.yaml': experimentTemplate,
};

export async function action(folder: string, { force = false, json }: InitFlags): Promise<void> {
  const paths = Object.keys(templates).map((name) => join(resolve(folder), name));
  try {
    await makeFolder(resolve(folder));
    if (!force) requireAbsent(paths);
    for (const [name, text] of Object.entries(templates)) {
      await writeFile(join(folder, name), text, { flag: force ? 'w' : 'wx' });
    }
  } catch (error) {
    throw writeError(folder, error);
  }
  if (json) printJson({ files: paths });
  else printNextSteps(paths);
}

function requireAbsent(paths: readonly string[]): void {
  const present = paths.filter((path) => existsSync(path));
  if (present.length === 0) return;
  const names = present.map((path) => relative('.', path)).join(', ');
  throw new TopoBenchError('TB_FILE_EXISTS', `init does not overwrite files: got ${names}`, {
    hint: 'choose another folder, or add --force',
  });
}

function writeError(folder: string, cause: unknown): TopoBenchError {
  if (cause instanceof TopoBenchError && cause.code === 'TB_FILE_EXISTS') return cause;
  return new TopoBenchError('TB_FILE_NOT_WRITABLE', `cannot write to ${folder}: ${systemErrorText(cause)}`, {
    hint: 'choose a folder that you may write to',
    cause,
  });
}

function printNextSteps(paths: readonly string[]): void {
  const [topology, rules, experiment] = paths.map((path) => relative('.', path));
  for (const path of [topology, rules, experiment]) printLine(`wrote ${path}`);
  printLine();
  printLine('next:');
  printLine(`  topo-bench validate ${topology} ${rules} ${experiment}`);
  printLine(`  topo-bench rules test ${rules}`);
  printLine(`  topo-bench run ${experiment}`);
}
