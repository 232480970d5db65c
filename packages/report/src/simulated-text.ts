/** The sentence before the first figure of a report with simulated cells: it names the model and its machine. */

import type { RunFolder } from '@topo-bench/core';
import { counted } from '@topo-bench/core';
import { isMarked } from './model/report-levels.ts';

/** @returns undefined if every cell was measured */
export function simulatedText(runs: readonly RunFolder[]): string | undefined {
  if (!isMarked(runs)) return undefined;
  const texts = runs.flatMap(({ record: { simulation } }) => {
    if (!simulation) return [];
    const { calibration, machine, cores, assumed } = simulation;
    const basis = assumed ? `assumptions (${calibration})` : `the calibration ${calibration}`;
    return [`computed by a model of ${machine} with ${counted(cores, 'core')} from ${basis}`];
  });
  const how = texts.length === 0 ? 'computed by a model' : [...new Set(texts)].join('; ');
  return `Simulated, not measured: figures marked so were ${how}.`;
}
