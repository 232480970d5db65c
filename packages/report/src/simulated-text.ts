/** The sentence before the first figure of a report with simulated cells: it names the model and its machine. */

import type { RunFolder } from '@topo-bench/core';
import { counted } from '@topo-bench/core';
import type { SimulationRecord } from '@topo-bench/core/schema/result';
import { heldOutText } from './calibration-table.ts';
import { isMarked } from './model/report-levels.ts';

/** @returns undefined if every cell was measured */
export function simulatedText(runs: readonly RunFolder[]): string | undefined {
  if (!isMarked(runs)) return undefined;
  const texts = runs.flatMap(({ record: { simulation } }) => {
    if (!simulation) return [];
    const { calibration, assumed } = simulation;
    const basis = assumed ? `assumptions (${calibration})` : `the calibration ${calibration}`;
    return [`computed by a model of ${simulatedMachine(simulation)} from ${basis}`];
  });
  const how = texts.length === 0 ? 'computed by a model' : [...new Set(texts)].join('; ');
  const uncertain = runs
    .flatMap(({ cells }) => cells)
    .find((cell) => cell.calibrationUncertainty)?.calibrationUncertainty;
  const sentences = [
    `Simulated, not measured: figures marked so were ${how}.`,
    ...(uncertain ? [heldOutText(uncertain.heldOutErrors)] : []),
    ...(uncertain?.disturbed ? ['Other programs disturbed that calibration.'] : []),
  ];
  return sentences.join(' ');
}

/** The machines that a simulation stands for, in words. */
export function simulatedMachine({ machine, cores, cluster }: SimulationRecord): string {
  if (!cluster) return `${machine} with ${counted(cores, 'core')}`;
  const all = cluster.hosts.reduce((sum, host) => sum + host.cores, 0);
  return `the cluster ${cluster.name} (${counted(cluster.hosts.length, 'host')}, ${counted(all, 'core')}), calibrated on ${machine}`;
}
