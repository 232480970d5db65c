/** The thresholds of a gate: those that its caller chooses, or else those of the experiment. */
import { parseThreshold, type Threshold } from '@topo-bench/comparison';
import { TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { studyMetrics } from '@topo-bench/studies';

/**
 * @param chosen in place of those of the experiment
 * @param inExperiment the experiment's `thresholds`, if any
 * @param cells entries for suggestions
 * @throws TopoBenchError `TB_USAGE` when there is none; as `parseThreshold`
 */
export function thresholdsOf(
  chosen: readonly string[] | undefined,
  inExperiment: unknown,
  cells: readonly Cell[] = [],
): Threshold[] {
  const texts = chosen ?? (Array.isArray(inExperiment) ? inExperiment.map(String) : []);
  if (texts.length > 0) return distinct(texts.map((text) => parseThreshold(text, cells, studyMetrics)));
  throw new TopoBenchError('TB_USAGE', 'gate needs a threshold: got none', {
    hint: "add one, e.g. --threshold 'rtt.median < +5%', or `thresholds` to the experiment file",
  });
}

/** A threshold that is given twice counts once: both would share the error rate, and be listed twice. */
function distinct(thresholds: readonly Threshold[]): Threshold[] {
  const byMeaning = new Map<string, Threshold>();
  for (const one of thresholds) {
    const key = `${one.metric.name} ${one.operator} ${one.kind} ${one.limit}`;
    if (!byMeaning.has(key)) byMeaning.set(key, one);
  }
  return [...byMeaning.values()];
}
