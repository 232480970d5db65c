/** The cells without a valid repetition: one is enough for exit code 5. */
import { cellKey, describeCell, formatError, TopoBenchError } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import type { RunResult } from '@topo-bench/experiment/run-experiment';
import { note } from '../../output.ts';

/** Sets the exit code. Prints instead of throwing: with `--json`, standard output already carries its one document. */
export function checkValidity({ record, cells }: RunResult): void {
  const without = cellsWithoutValidRepetition(record.plannedCells, cells);
  if (without.length === 0) return;
  const error = noValidRepetition(without);
  note(formatError(error));
  process.exitCode = error.exitCode;
}

function cellsWithoutValidRepetition(planned: readonly FactorLevels[], cells: readonly Cell[]): FactorLevels[] {
  const valid = new Set(cells.filter(({ validity }) => validity.valid).map(({ factors }) => cellKey(factors)));
  return planned.filter((levels) => !valid.has(cellKey(levels)));
}

function noValidRepetition(levels: readonly FactorLevels[]): TopoBenchError {
  const shown = levels.slice(0, 5).map(describeCell);
  const more = levels.length > shown.length ? `; and ${levels.length - shown.length} more` : '';
  const count = levels.length === 1 ? 'one cell has' : `${levels.length} cells have`;
  return new TopoBenchError(
    'TB_EXPERIMENT_NO_VALID_REPETITION',
    `${count} no valid repetition: ${shown.join('; ')}${more}`,
    {
      hint: 'the table names the reasons; lower the rate, lengthen the load, or free the machine, and run again',
    },
  );
}
