/**
 * Evaluates the thresholds of an experiment in the same way as `topo-bench gate`. Absolute thresholds use the run
 * itself; relative ones use the first run of the report as the baseline.
 */
import { gate, type MetricTable, parseThreshold } from '@topo-bench/comparison';
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { ReportModel } from './report-model.ts';

/** A sentence per threshold and run; empty if the experiments have no thresholds. */
export function thresholdSentences({ runs, metrics }: Pick<ReportModel, 'runs' | 'metrics'>): string[] {
  const [baseline] = runs;
  return runs.flatMap((run) => {
    const name = runs.length > 1 ? ` (${run.record.name})` : '';
    const against = run === baseline ? undefined : baseline;
    return thresholdsOf(run).map((text) => `Threshold ${text}${name}: ${answerTo(text, run, against, metrics)}.`);
  });
}

function thresholdsOf({ record }: RunFolder): string[] {
  const asked = (record.experiment as { thresholds?: unknown } | null)?.thresholds;
  return Array.isArray(asked) ? asked.filter((one) => typeof one === 'string') : [];
}

/** An error of a threshold must not prevent the report. */
function answerTo(text: string, run: RunFolder, baseline: RunFolder | undefined, metrics: MetricTable): string {
  try {
    const threshold = parseThreshold(text, run.cells, metrics);
    if (threshold.kind === 'relative' && !baseline)
      return 'relative to a baseline, which topo-bench gate compares with';
    return gate(run, baseline, [threshold], metrics)
      .thresholds.map(({ verdict, reason }) => `${verdict}, ${reason}`)
      .join();
  } catch (error) {
    if (!(error instanceof TopoBenchError)) throw error;
    return `cannot be checked, ${error.message}`;
  }
}
