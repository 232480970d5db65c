/** The cells without a valid repetition: one is enough for exit code 5. */
import { TopoBenchError } from '@topo-bench/core';
import { cellKey } from '@topo-bench/core/cell-key';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { describeCell } from '@topo-bench/experiment/cells';

export function cellsWithoutValidRepetition(planned: readonly FactorLevels[], cells: readonly Cell[]): FactorLevels[] {
  const valid = new Set(cells.filter(({ validity }) => validity.valid).map(({ factors }) => cellKey(factors)));
  return planned.filter((levels) => !valid.has(cellKey(levels)));
}

export function noValidRepetition(levels: readonly FactorLevels[]): TopoBenchError {
  const shown = levels.slice(0, 5).map(describeCell);
  const more = levels.length > shown.length ? `; and ${levels.length - shown.length} more` : '';
  const count = levels.length === 1 ? 'one cell has' : `${levels.length} cells have`;
  return new TopoBenchError('TB_EXPERIMENT_NO_VALID_REPETITION', `${count} no valid repetition: ${shown.join('; ')}${more}`, {
    hint: 'the table names the reasons; lower the rate, lengthen the load, or free the machine, and run again',
  });
}
