/** The lines of a search: cells that differ only in their rate are one line, which can be measured at any rate. */
import { cellKey } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { lineOf } from '@topo-bench/results';
import type { ExperimentCell } from '@topo-bench/trial';

export interface SearchLine {
  key: string;
  /** First rate to try, req/s: the lowest of the experiment. */
  startRps: number;
  cellAt(rateRps: number): ExperimentCell;
}

export function linesOf(cells: readonly ExperimentCell[]): SearchLine[] {
  const lines = new Map<string, ExperimentCell>();
  for (const cell of cells) {
    const key = lineKey(cell.levels);
    const known = lines.get(key);
    if (!known || cell.settings.load.rate < known.settings.load.rate) lines.set(key, cell);
  }
  return [...lines].map(([key, cell]) => ({
    key,
    startRps: cell.settings.load.rate,
    cellAt: (rate) => ({
      ...cell,
      levels: { ...cell.levels, rate },
      settings: { ...cell.settings, load: { ...cell.settings.load, rate } },
    }),
  }));
}

/** Equal for levels of one line. */
export function lineKey(levels: FactorLevels): string {
  return cellKey(lineOf(levels));
}
