/** All problems of one file and of the files that it refers to, checked by its `kind`. */
import { type Problem, suggestName, TopoBenchError } from '@topo-bench/core';
import { readInputs, readRulesOf, readText } from '@topo-bench/experiment/read-inputs';
import { checkExperiment } from '@topo-bench/experiment/resolve-experiment';
import { studies } from '@topo-bench/studies';
import { documentKind, loadRules, loadTopology, parseSource } from '@topo-bench/topology';

const kinds = ['Topology', 'Rules', 'Experiment'];

/** @throws TopoBenchError `TB_FILE_NOT_FOUND` when the file itself is missing */
export async function validateFile(file: string): Promise<Problem[]> {
  const source = await readText(file);
  const kind = documentKind(source.text);
  try {
    if (kind === 'Topology') return loadTopology({ topology: source, rules: await readRulesOf(source, file) }).problems;
    if (kind === 'Rules') return loadRules(source).problems;
    if (kind === 'Experiment') return checkExperiment(await readInputs(file), studies).problems;
  } catch (error) {
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
