/**
 * Layout of cells in charts: a panel per setting of the outer factors, with groups of rows. A row is a level of the
 * compared factor.
 */
import { describeLevel } from '@topo-bench/core';
import type { CellGroup } from '../model/cell-group.ts';
import { compareByFactors, comparedFactor, describeLevels, type Factor, type Level } from '../model/factors.ts';
import type { ReportModel } from '../model/report-model.ts';

export interface RowGroup {
  /** Level of the inner factor, as display text; empty without an inner factor. */
  title: string;
  /** `index`: index of the cell in the report, used by the page's filter. */
  rows: { label: string; level: Level; cell: CellGroup; index: number }[];
}

export interface Panel {
  /** Levels of the outer factors, as display text; empty for a single panel. */
  title: string;
  groups: RowGroup[];
}

export interface Layout {
  compared: Factor | undefined;
  panels: Panel[];
}

/**
 * Assigns factors to panels, groups and rows. In a routing study, panels are rates, groups are numbers of services, and
 * rows are architectures. Other factors follow the same scheme.
 */
export function layOut({ factors, groups }: Pick<ReportModel, 'factors' | 'groups'>): Layout {
  const compared = comparedFactor(factors) ?? factors.find(({ name }) => name === 'architecture') ?? factors[0];
  const others = factors.filter((factor) => factor !== compared && factor.levels.length > 1);
  const inner = others.find(({ name }) => name === 'services') ?? others.at(-1);
  const outer = others.filter((factor) => factor !== inner);
  const panels = new Map<string, Map<string, RowGroup>>();
  const reading = [...outer, inner, compared].filter((factor) => factor !== undefined);
  const byReading = compareByFactors(reading);
  for (const cell of groups.toSorted((a, b) => byReading(a.factors, b.factors))) {
    const panelTitle = describeLevels(outer, cell.factors);
    const panel = panels.get(panelTitle) ?? new Map<string, RowGroup>();
    panels.set(panelTitle, panel);
    const level = inner && cell.factors[inner.name];
    const title = inner && level !== undefined ? describeLevel(inner.name, level) : '';
    const group = panel.get(title) ?? { title, rows: [] };
    panel.set(title, group);
    const own = compared === undefined ? undefined : cell.factors[compared.name];
    group.rows.push({
      label: own === undefined || !compared ? 'all' : describeLevel(compared.name, own),
      level: own ?? '',
      cell,
      index: groups.indexOf(cell),
    });
  }
  return { compared, panels: [...panels].map(([title, byTitle]) => ({ title, groups: [...byTitle.values()] })) };
}
