/** All problems of one file and of the files that it leads to; its `kind` says what to hold it against. */
import { type Problem, TopoBenchError } from '@topo-bench/core';
import { readInputs, readRulesOf, readText } from '@topo-bench/experiment/read-inputs';
import { checkExperiment } from '@topo-bench/experiment/resolve-experiment';
import { documentKind, loadRules, loadTopology, parseSource, suggestName } from '@topo-bench/topology';

const kinds = ['Topology', 'Rules', 'Experiment'];

/** @throws TopoBenchError `TB_FILE_NOT_FOUND` when the file itself is missing */
export async function validateFile(file: string): Promise<Problem[]> {
  const source = await readText(file);
  const kind = documentKind(source.text);
  try {
    if (kind === 'Topology') return loadTopology({ topology: source, rules: await readRulesOf(source, file) }).problems;
    if (kind === 'Rules') return loadRules(source).problems;
    if (kind === 'Experiment') return checkExperiment(await readInputs(file)).problems;
  } catch (error) {
    // A file that this one names is missing: a problem of this one, at the place where it is named.
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_FILE_NOT_FOUND') throw error;
    const key = kind === 'Experiment' ? 'topology' : 'rules';
    return [{ ...parseSource(source).locate([key]), code: error.code, message: error.message }];
  }
  const { problems, locate } = parseSource(source);
  if (problems.length > 0) return problems;
  const message = kind === undefined ? 'the file does not say its kind' : `${JSON.stringify(kind)} is not a kind of file`;
  return [{ ...locate(['kind']), code: 'TB_SCHEMA_INVALID', message, hint: suggestName(kind ?? '', kinds, 'kinds') }];
}
