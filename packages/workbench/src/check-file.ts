/** All problems of one file and of the files that it leads to, checked by its `kind`. */
import { designOf, designSentence, gateDesignSentence } from '@topo-bench/comparison/design';
import { counted, type Problem, suggestName, TopoBenchError } from '@topo-bench/core';
import { calibrationFile } from '@topo-bench/core/schema/calibration';
import { clusterFile } from '@topo-bench/core/schema/cluster';
import { confirmationFile } from '@topo-bench/core/schema/confirmation';
import {
  callGraphHint,
  documentKind,
  loadRules,
  parseSource,
  readDocument,
  type SourceText,
} from '@topo-bench/topology';
import { open, readOf, type Texts } from './open.ts';
import { openTopology } from './open-topology.ts';
import type { Workbench } from './workbench.ts';

const kinds = ['Topology', 'Rules', 'Experiment', 'Calibration', 'Cluster', 'Confirmation'];

export interface CheckedFile {
  problems: readonly Problem[];
  /** What the comparison of an experiment can show; absent for other files, and where it compares nothing. */
  canShow?: string;
}

/**
 * @param texts default: the files on the disk
 * @throws TopoBenchError `TB_FILE_NOT_FOUND` for the file itself
 */
export async function checkFile(file: string, texts: Omit<Texts, 'experiment'> = {}): Promise<CheckedFile> {
  const read = readOf(texts);
  const source = await read(file);
  const kind = documentKind(source.text);
  if (kind === 'Topology') return { problems: (await openTopology(file, {}, read)).problems };
  if (kind === 'Rules') return { problems: ofRules(source) };
  if (kind === 'Experiment') return ofExperiment(await open({ ...texts, experiment: file, read }));
  if (kind === 'Calibration') return { problems: readDocument(calibrationFile, source.text, source.file).problems };
  if (kind === 'Confirmation') return { problems: readDocument(confirmationFile, source.text, source.file).problems };
  if (kind === 'Cluster') return { problems: readDocument(clusterFile, source.text, source.file).problems };
  const { value, problems, locate } = parseSource(source);
  if (problems.length > 0) return { problems };
  const graphHint = callGraphHint(value);
  const own = kind === undefined ? 'none' : JSON.stringify(kind);
  const got = graphHint === undefined ? own : 'a graph of calls (isotope)';
  const message = `kind of file: got ${got}, expected ${kinds.join(', ')}`;
  const hint = graphHint ?? suggestName(kind ?? '', kinds, 'kinds');
  return { problems: [{ ...locate(['kind']), code: 'TB_SCHEMA_INVALID', message, hint }] };
}

/** A rule file that is named itself should have examples; of files that others lead to, each may be one of many. */
function ofRules(source: SourceText): readonly Problem[] {
  const { rules, problems } = loadRules(source);
  if (!rules || rules.rules.length === 0 || rules.examples.length > 0) return problems;
  const message = `the ${counted(rules.rules.length, 'rule')} of this file have no examples: nothing checks what they decide`;
  const hint = 'add `examples` with the expected effects, and run `topo-bench rules test`';
  const place = parseSource(source).locate(['rules'], 'key');
  return [...problems, { ...place, code: 'TB_RULES_NO_EXAMPLES', message, hint, severity: 'warning' }];
}

/** Other kinds of study than routing have comparisons of their own. */
async function ofExperiment({ problems, cells }: Workbench): Promise<CheckedFile> {
  const [first] = cells;
  if (first?.study.kind !== 'routing') return { problems };
  const { repetitions } = first.settings;
  const levels = cells.map((cell) => cell.levels);
  const texts = [
    repetitions < 2 ? '' : designSentence(designOf(levels, repetitions)),
    await ofGate(first.settings.thresholds),
  ];
  const canShow = texts.filter((text) => text !== '').join(' ');
  return { problems, ...(canShow !== '' && { canShow }) };
}

/** Loaded only for an experiment with thresholds. A threshold that cannot be read is an error of `gate`. */
async function ofGate(thresholds: readonly string[] | undefined): Promise<string> {
  if (!thresholds) return '';
  const { thresholdsOf } = await import('./gate/gate-thresholds.ts');
  try {
    return gateDesignSentence(thresholdsOf(undefined, thresholds));
  } catch (error) {
    if (error instanceof TopoBenchError) return '';
    throw error;
  }
}
