/** All problems of one file and of the files that it refers to, checked by its `kind`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Problem, suggestName, TopoBenchError } from '@topo-bench/core';
import { readInputs, readRulesOf, readText } from '@topo-bench/experiment/read-inputs';
import { checkExperiment } from '@topo-bench/experiment/resolve-experiment';
import { studies } from '@topo-bench/studies';
import { documentKind, loadRules, loadTopology, parseSource, type SourceText } from '@topo-bench/topology';

const kinds = ['Topology', 'Rules', 'Experiment'];

/** A file that cannot be read is a problem like others: further files are checked too. */
export async function validateFile(file: string): Promise<Problem[]> {
  try {
    return await problemsOf(file, await readText(file));
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_FILE_NOT_FOUND') throw error;
    const hint = await filesIn(file);
    const { code, message } = error;
    return [{ file, line: 1, column: 1, code, message, ...(hint !== undefined && { hint }) }];
  }
}

/** A hint for a folder in place of a file. */
async function filesIn(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder).catch(() => undefined);
  if (!entries) return undefined;
  const names = entries.filter((name) => /\.(ya?ml|json)$/i.test(name)).sort();
  if (names.length === 0) return 'it has no YAML or JSON file';
  const shown = names.slice(0, 5).map((name) => join(folder, name));
  const more = names.length > shown.length ? `, … (${names.length} in all)` : '';
  return `name the ${names.length === 1 ? 'file' : 'files'} in it: ${shown.join(', ')}${more}`;
}

async function problemsOf(file: string, source: SourceText): Promise<Problem[]> {
  const kind = documentKind(source.text);
  try {
    if (kind === 'Topology') return loadTopology({ topology: source, rules: await readRulesOf(source, file) }).problems;
    if (kind === 'Rules') return loadRules(source).problems;
    if (kind === 'Experiment') return checkExperiment(await readInputs(file), studies).problems;
  } catch (error) {
    // Faults of recorded tracks.
    if (error instanceof TopoBenchError && error.problems.length > 0) return [...error.problems];
    // A missing referenced file is a problem at the place of the reference.
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_FILE_NOT_FOUND') throw error;
    const key = kind === 'Experiment' ? 'topology' : 'rules';
    return [{ ...parseSource(source).locate([key]), code: error.code, message: error.message }];
  }
  const { problems, locate } = parseSource(source);
  if (problems.length > 0) return problems;
  const got = kind === undefined ? 'none' : JSON.stringify(kind);
  const message = `kind of file: got ${got}, expected ${kinds.join(', ')}`;
  return [{ ...locate(['kind']), code: 'TB_SCHEMA_INVALID', message, hint: suggestName(kind ?? '', kinds, 'kinds') }];
}
