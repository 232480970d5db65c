/** Drawings of the topology of a run, from the inputs that it records: one for each architecture. */
import type { RunFolder } from '@topo-bench/core';
import type { Drawing } from '@topo-bench/core/drawing';
import { drawingOf } from '@topo-bench/deployment/drawing';
import type { ExperimentCell, Study } from '@topo-bench/trial';
import { recordedExperiment } from './recorded-experiment.ts';

/** More services are too many to draw one by one. */
const maxServices = 120;

/** @returns by level of the architecture; empty where the inputs of a run cannot be read again */
export function drawingsOf([run]: readonly RunFolder[], studies: readonly Study[]): Record<string, Drawing> {
  const found: Record<string, ExperimentCell> = {};
  for (const cell of (run && recordedExperiment(run, studies)?.cells) ?? []) {
    const name = String(cell.levels.architecture ?? cell.graph.enforcement.architecture);
    if (isBetter(cell, found[name])) found[name] = cell;
  }
  return Object.fromEntries(Object.entries(found).map(([name, { graph, plan }]) => [name, drawingOf(graph, plan)]));
}

/** The largest one that can be drawn shows most. */
function isBetter(cell: ExperimentCell, than: ExperimentCell | undefined): boolean {
  if (!than) return true;
  const [own, other] = [cell.graph.services.length, than.graph.services.length];
  return own <= maxServices ? own > other || other > maxServices : own < other;
}
