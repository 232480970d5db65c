/** Places of the cells that have figures, among those of the report: the rows of tables that leave the others out. */
import type { CellGroup } from '../model/cell-group.ts';

export function measuredCells(groups: readonly CellGroup[]): number[] {
  return groups.flatMap(({ figures }, at) => (figures ? [at] : []));
}
