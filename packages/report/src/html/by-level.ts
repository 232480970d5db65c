/** Cells grouped by level of the compared factor, for figures that are counts, not times. */
import { describeLevel } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { ReportModel } from '../model/report-model.ts';
import { layOut } from './facets.ts';

export interface LevelCells {
  label: string;
  /** Indexes of its cells in the report, for the page's filter. */
  cells: number[];
  valid: Cell[];
  invalid: Cell[];
}

/** Levels in reading order; a single level with all cells if the report has no factors. */
export function cellsByLevel(report: ReportModel): { heading: string; levels: LevelCells[] } {
  const { compared } = layOut(report);
  const levels = new Map<string, LevelCells>();
  for (const [at, { factors, valid, invalid }] of report.groups.entries()) {
    const level = compared && factors[compared.name];
    const label = compared && level !== undefined ? describeLevel(compared.name, level) : 'all';
    const found = levels.get(label) ?? { label, cells: [], valid: [], invalid: [] };
    levels.set(label, found);
    found.cells.push(at);
    found.valid.push(...valid);
    found.invalid.push(...invalid);
  }
  return { heading: compared?.name ?? '', levels: [...levels.values()] };
}
