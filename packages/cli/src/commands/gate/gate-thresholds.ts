/** The thresholds of a gate: those of the command line, else those of the experiment. */
import { parseThreshold, type Threshold } from '@topo-bench/comparison';
import { TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { GateFlags } from './options.ts';

/**
 * @param inExperiment its `thresholds`, if any
 * @param cells entries to draw suggestions from
 * @throws TopoBenchError `TB_USAGE` when there is none and nothing else to do
 */
export function thresholdsFor(
  inExperiment: unknown,
  { threshold, saveBaseline, experiment }: GateFlags,
  cells: readonly Cell[] = [],
): Threshold[] {
  const texts = threshold ?? (Array.isArray(inExperiment) ? inExperiment.map(String) : []);
  if (texts.length === 0 && (saveBaseline === undefined || experiment !== undefined)) {
    throw new TopoBenchError('TB_USAGE', 'the gate has no threshold', {
      hint: "add one, e.g. --threshold 'rtt.median < +5%', or `thresholds` to the experiment file",
    });
  }
  return texts.map((text) => parseThreshold(text, cells));
}
