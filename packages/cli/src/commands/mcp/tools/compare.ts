/** `compare`: two runs, or levels of a factor inside one. */
import { compareRuns, compareWithin } from '@topo-bench/comparison';
import { shellLine, TopoBenchError } from '@topo-bench/core';
import { openRun } from '@topo-bench/results';
import { studyMetrics } from '@topo-bench/studies';
import { intervalsBySource, requireOneSource } from '../../../one-source.ts';
import { optionWords } from '../command-words.ts';
import { comparisonCells, sourceOf, validityOf } from '../run-answer.ts';
import type { ToolContext } from '../tool-context.ts';

interface Asked {
  runs: string[];
  within?: string | undefined;
  metric?: string | undefined;
  mixSources: boolean;
}

export async function compare({ runs, within, metric, mixSources }: Asked, { files }: ToolContext): Promise<object> {
  if (runs.length !== (within === undefined ? 2 : 1)) {
    throw new TopoBenchError('TB_USAGE', `compare takes two runs, or one with \`within\`: got ${runs.length}`, {
      hint: 'name baseline and candidate, or one run and a factor such as architecture',
    });
  }
  const found = await Promise.all(runs.map(async (folder) => openRun(await files.inside(folder))));
  if (!mixSources) requireOneSource(found, 'set `mixSources`');
  const options = { metrics: studyMetrics, ...(metric !== undefined && { metric }) };
  const [baseline, candidate] = found as [(typeof found)[0], (typeof found)[0]];
  const comparison =
    within === undefined ? compareRuns(baseline, candidate, options) : compareWithin(baseline, within, options);
  const words = ['compare', ...runs, ...optionWords({ within, metric, 'mix-sources': mixSources })];
  return {
    metric: comparison.metric.name,
    cells: comparisonCells(comparison),
    notes: [...comparison.notes, ...(within === undefined ? intervalsBySource(found, comparison) : [])],
    ...sourceOf(found),
    validity: found.map(({ cells }) => validityOf(cells)),
    command: shellLine(['topo-bench', ...words]),
  };
}
