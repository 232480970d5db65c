/**
 * The factors of a cell in a report. Several runs add a factor for the run; simulated figures add one for the source.
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

/** Simulated figures are marked everywhere, even next to measured ones. */
export function isMarked(runs: readonly RunFolder[]): boolean {
  return runs.some(({ cells }) => cells.some(({ source }) => source === 'simulated'));
}
