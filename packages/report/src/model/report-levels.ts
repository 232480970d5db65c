/**
 * The factors of a cell as a report shows them: with its run where there are several, with its source where anything is
 * simulated.
 */
import { basename, resolve } from 'node:path';
import type { RunFolder } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { withSource } from './factors.ts';

export function reportLevels(
  { folder }: RunFolder,
  cell: Pick<Cell, 'factors' | 'source'>,
  runs: readonly RunFolder[],
): FactorLevels {
  const ofRun: FactorLevels = runs.length > 1 ? { run: basename(resolve(folder)) } : {};
  return { ...ofRun, ...withSource(cell, isMarked(runs)) };
}

/** Simulated figures are marked everywhere, also next to measured ones. */
export function isMarked(runs: readonly RunFolder[]): boolean {
  return runs.some(({ cells }) => cells.some(({ source }) => source === 'simulated'));
}
