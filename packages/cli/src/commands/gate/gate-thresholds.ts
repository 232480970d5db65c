/** The thresholds of a gate: from the command line, or else from the experiment. */
import { parseThreshold, type Threshold } from '@topo-bench/comparison';
import { TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { studyMetrics } from '@topo-bench/studies';
import type { GateFlags } from './options.ts';

/**
 * @param inExperiment the experiment's `thresholds`, if any
 * @param cells entries for suggestions
 * @throws TopoBenchError `TB_USAGE` when there is none, unless the gate only saves a baseline
 */
export function thresholdsFor(
  inExperiment: unknown,
  { threshold, saveBaseline, experiment }: GateFlags,
  cells: readonly Cell[] = [],
): Threshold[] {
  const texts = threshold ?? (Array.isArray(inExperiment) ? inExperiment.map(String) : []);
  if (texts.length === 0 && (saveBaseline === undefined || experiment !== undefined)) {
    throw new TopoBenchError('TB_USAGE', 'gate needs a threshold: got none', {
      hint: "add one, e.g. --threshold 'rtt.median < +5%', or `thresholds` to the experiment file",
    });
  }
  return texts.map((text) => parseThreshold(text, cells, studyMetrics));
}
