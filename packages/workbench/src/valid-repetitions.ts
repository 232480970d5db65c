/** The cells without a valid repetition: with one of them, a run has no answer to give. */
import { cellKey, describeCell, TopoBenchError } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import type { RunResult } from '@topo-bench/experiment/run-experiment';

const remedies: Record<Cell['source'], string> = {
  measured: 'lower the rate, lengthen the load, or free the machine, and run again',
  simulated: 'lower the rate, or state more or faster cores in the calibration',
};

/** @returns undefined if every planned cell has a valid repetition, or a prediction that it is at its limit */
export function noValidRepetition({ record, cells }: Pick<RunResult, 'record' | 'cells'>): TopoBenchError | undefined {
  const levels = cellsWithoutValidRepetition(record.plannedCells, cells);
  if (levels.length === 0) return undefined;
  const shown = levels.slice(0, 5).map(describeCell);
  const more = levels.length > shown.length ? `; and ${levels.length - shown.length} more` : '';
  const count = levels.length === 1 ? 'one cell has' : `${levels.length} cells have`;
  return new TopoBenchError(
    'TB_EXPERIMENT_NO_VALID_REPETITION',
    `${count} no valid repetition: ${shown.join('; ')}${more}`,
    {
      hint: `the table names the reasons; ${remedies[cells[0]?.source ?? 'measured']}`,
    },
  );
}

/** A simulation has an answer where a system does not bear its rate. */
function isAnswered({ validity, prediction }: Cell): boolean {
  return validity.valid || (prediction !== undefined && prediction.state !== 'stable');
}

function cellsWithoutValidRepetition(planned: readonly FactorLevels[], cells: readonly Cell[]): FactorLevels[] {
  const valid = new Set(cells.filter(isAnswered).map(({ factors }) => cellKey(factors)));
  return planned.filter((levels) => !valid.has(cellKey(levels)));
}
